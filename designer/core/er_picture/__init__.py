"""Entities and relationships as a picture, drawn as SVG on the server: the same on pages, in files and in documents.

A box stands where somebody put it (`Entity.drawn_at`); the others are laid out by themselves, parents left and children
right. The same design always gives the same picture.
"""

from designer.core.er_picture.drawing import PLAIN, Dress, redrawn, svg
from designer.core.er_picture.thumbnail import thumbnail
from designer.core.er_picture.words import asked_by, sentences

__all__ = ["PLAIN", "Dress", "asked_by", "redrawn", "sentences", "svg", "thumbnail"]
