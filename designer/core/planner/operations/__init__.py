"""The requests of each pattern."""
