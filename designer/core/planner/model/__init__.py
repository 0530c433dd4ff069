"""What the planner works with."""
