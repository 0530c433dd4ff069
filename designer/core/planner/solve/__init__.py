"""Which candidates are taken."""
