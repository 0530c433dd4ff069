"""Why the plan is as it is, and what is wrong with it."""
