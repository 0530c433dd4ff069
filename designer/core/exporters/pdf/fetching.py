"""What a PDF may fetch: the project's own static files, and nothing else."""

from functools import cache
from io import BytesIO
from pathlib import Path
from urllib.parse import unquote, urlsplit

from fontTools.ttLib import woff2
from weasyprint.urls import URLFetcher, URLFetcherResponse

STATIC = Path(__file__).resolve().parents[4] / "static"


class OwnFiles(URLFetcher):  # type: ignore[misc]
    """Reads files below static/, and refuses every other address. Fonts come unpacked."""

    def fetch(self, url: str, headers: dict[str, str] | None = None) -> URLFetcherResponse:
        """The file; ValueError for any address that is not one of the project's static files."""
        parts = urlsplit(url)
        path = Path(unquote(parts.path)).resolve()
        if parts.scheme != "file" or parts.netloc or not path.is_relative_to(STATIC):
            raise ValueError(f"{url} is not one of the project's static files")
        return URLFetcherResponse(
            url, unpacked(path) if path.suffix == ".woff2" else path.read_bytes()
        )


@cache
def unpacked(font: Path) -> bytes:
    """A font as WeasyPrint would unpack it for every document anew, which takes a tenth of the time."""
    made = BytesIO()
    woff2.decompress(BytesIO(font.read_bytes()), made)
    return made.getvalue()
