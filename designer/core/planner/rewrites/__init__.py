"""Other designs that keep the same data, and what they save."""
