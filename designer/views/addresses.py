"""Where the pages and parts of a design are found, by those who look at it."""


class Urls:
    """Addresses of a design, as those who look at it find it: its editors, or the readers of a link."""

    def of(self, place: str) -> str:
        """The form for a part of the design, for links from findings to their fields; empty when there is none."""
        raise NotImplementedError

    def page(self, name: str, *about: object) -> str:
        """The page of this name, about something; empty when they have none."""
        raise NotImplementedError
