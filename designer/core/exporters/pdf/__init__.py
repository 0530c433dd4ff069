"""The design document for a meeting, as a tagged PDF."""

from typing import ClassVar

from designer.core.design.document import Design
from designer.core.exporters.base import Export, Exporter, filename
from designer.core.exporters.pdf.document import document
from designer.core.plan import Plan


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
        from weasyprint.text.fonts import FontConfiguration

        from designer.core.exporters.pdf.fetching import STATIC, OwnFiles

        fonts, own = FontConfiguration(), OwnFiles()
        page = HTML(
            string=document(design, plan, date),
            base_url=f"{STATIC.as_uri()}/",
            url_fetcher=own,
        )
        styles = [
            CSS(filename=STATIC / "css" / name, url_fetcher=own, font_config=fonts)
            for name in ("pdf-fonts.css", "pdf.css")
        ]
        content = page.write_pdf(
            stylesheets=styles,
            font_config=fonts,
            pdf_variant="pdf/ua-1",
            pdf_identifier=plan.design.meaning.encode(),
        )
        return Export(filename(design, plan, "pdf"), "application/pdf", content)
