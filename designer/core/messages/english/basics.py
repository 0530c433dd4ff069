"""Messages of every subject."""

TEMPLATES = {
    "text": "{text}",
    "sentence": "{problem:sentence}.",
    "without-marks": "{problem:plain}",
}
