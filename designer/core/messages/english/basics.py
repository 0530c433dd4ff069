"""Messages of every subject."""

TEMPLATES = {
    "text": "{text}",
}
