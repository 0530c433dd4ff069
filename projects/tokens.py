"""Secrets that stand in addresses: somebody is told them once, and only their hash is kept."""

import secrets
from hashlib import sha256


def new() -> str:
    """A secret that nobody guesses: 256 bits, in letters that an address may hold."""
    return secrets.token_urlsafe(32)


def digest(token: str) -> str:
    """What is kept of a secret. It was not chosen by a person, so that a plain hash is enough."""
    return sha256(token.encode()).hexdigest()


def digest_of_none() -> str:
    """A digest that no secret has."""
    return digest(new())
