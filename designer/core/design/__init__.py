"""The design document: its parts, reading and writing it, and what it means."""
