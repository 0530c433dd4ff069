"""Addresses of what people own."""

import secrets

_LETTERS = "23456789abcdefghjkmnpqrstuvwxyz"


def new_slug() -> str:
    """An address that nobody guesses; 10 of 31 letters are 49 bits."""
    return "".join(secrets.choice(_LETTERS) for _ in range(10))
