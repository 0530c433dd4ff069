"""What a PDF may fetch: the project's own static files, and nothing else."""

from pathlib import Path
from urllib.parse import unquote, urlsplit

from weasyprint.urls import URLFetcher, URLFetcherResponse

STATIC = Path(__file__).resolve().parents[4] / "static"


class OwnFiles(URLFetcher):  # type: ignore[misc]
    """Reads files below static/, and refuses every other address."""

    def fetch(self, url: str, headers: dict[str, str] | None = None) -> URLFetcherResponse:
        """The file; ValueError for any address that is not one of the project's static files."""
        parts = urlsplit(url)
        path = Path(unquote(parts.path)).resolve()
        if parts.scheme != "file" or parts.netloc or not path.is_relative_to(STATIC):
            raise ValueError(f"{url} is not one of the project's static files")
        return URLFetcherResponse(url, path.read_bytes())
