"""What is written to the console never opens anything."""

import logging
import re

SECRET = re.compile(
    r"(/(?:s|join|sign-up|account/email|feeds|password/[^/\s]+)/|keywright_)[\w.:=-]{20,}"
)
"""After these parts of an address stands what opens something."""


class Discreet(logging.Formatter):
    """Leaves out of every line the secrets of links, invitations, letters and programs."""

    def format(self, record: logging.LogRecord) -> str:
        return SECRET.sub(r"\1...", super().format(record))
