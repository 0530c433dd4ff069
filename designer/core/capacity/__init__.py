"""Bytes of items, request units, and the capacity that tables need."""
