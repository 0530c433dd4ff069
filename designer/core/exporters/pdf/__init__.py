"""The design document for a meeting, as a tagged PDF."""

import gc
import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import ClassVar

from designer.core.design.document import Design
from designer.core.exporters.base import NOTHING_BESIDES, Export, Exporter, Options, filename
from designer.core.exporters.pdf.document import document
from designer.core.plan import Plan


class Pdf(Exporter):
    """The plan as a document for a review: summary, model, keys, access patterns, costs, risks, and an appendix."""

    slug: ClassVar[str] = "pdf"
    label: ClassVar[str] = "PDF"
    compares: ClassVar[bool] = True
    has_appendix: ClassVar[bool] = True

    def export(self, design: Design, plan: Plan, options: Options = NOTHING_BESIDES) -> Export:
        # Imported here: it takes half a second, and every page imports the catalogue of exporters.
        from weasyprint import CSS, HTML
        from weasyprint.text.fonts import FontConfiguration

        from designer.core.exporters.pdf.fetching import STATIC, OwnFiles

        fonts, own = FontConfiguration(), OwnFiles()
        pages = document(design, plan, options.beside, options.standing, options.with_appendix)
        sheets = ["pdf-fonts.css", "pdf.css"]
        if re.search("[\u0100-\u1fff]", pages):
            # Each font takes its time to unpack.
            sheets.append("pdf-fonts-extended.css")
        page = HTML(
            string=pages,
            base_url=f"{STATIC.as_uri()}/",
            url_fetcher=own,
        )
        styles = [
            CSS(filename=STATIC / "css" / name, url_fetcher=own, font_config=fonts)
            for name in sheets
        ]
        with _no_collection():
            content = page.write_pdf(
                stylesheets=styles,
                font_config=fonts,
                pdf_variant="pdf/ua-1",
                pdf_identifier=plan.design.meaning.encode(),
            )
        return Export(filename(design, plan, "pdf"), "application/pdf", content)


@contextmanager
def _no_collection() -> Iterator[None]:
    """Put off garbage collection: it would walk the many boxes of a layout again and again, a fifth of the time."""
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.enable()
