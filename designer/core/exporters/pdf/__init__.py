"""The design document for a meeting, as a tagged PDF."""

from pathlib import Path
from typing import Any, ClassVar
from urllib.parse import unquote, urlsplit

from designer.core.design.document import Design
from designer.core.exporters.base import Export, Exporter, filename
from designer.core.exporters.pdf.document import document
from designer.core.plan import Plan

STATIC = Path(__file__).resolve().parents[4] / "static"
"""The project's own static files: the only thing a PDF may fetch."""


class Pdf(Exporter):
    """The plan as a document to lay on a table: picture, questions, grids, costs, findings."""

    slug: ClassVar[str] = "pdf"
    label: ClassVar[str] = "PDF"

    def export(self, design: Design, plan: Plan) -> Export:
        return self.dated(design, plan, "")

    def dated(self, design: Design, plan: Plan, date: str) -> Export:
        """The document with a date on its cover, which only the caller can know."""
        # Imported here: it takes half a second, and every page imports the catalogue of exporters.
        from weasyprint import CSS, HTML

        page = HTML(string=document(design, plan, date), base_url=STATIC.as_uri() + "/", url_fetcher=own_files)
        styles = [
            CSS(filename=STATIC / "css" / name, url_fetcher=own_files)
            for name in ("pdf-fonts.css", "pdf.css")
        ]
        content = page.write_pdf(
            stylesheets=styles,
            pdf_variant="pdf/ua-1",
            pdf_identifier=plan.design.meaning.encode(),
        )
        return Export(filename(design, plan, "pdf"), "application/pdf", content)


def own_files(url: str, *arguments: Any, **named: Any) -> Any:
    """Fetch a file below static/; refuse every other address with ValueError."""
    from weasyprint import default_url_fetcher

    parts = urlsplit(url)
    path = Path(unquote(parts.path)).resolve()
    if parts.scheme != "file" or parts.netloc or not path.is_relative_to(STATIC):
        raise ValueError(f"{url} is not one of the project's static files")
    return default_url_fetcher(url, *arguments, **named)
