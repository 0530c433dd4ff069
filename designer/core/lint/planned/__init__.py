"""What the planner finds by itself, explained, one a file: found by being here."""
