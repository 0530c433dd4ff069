"""From patterns to demands: what each entity is asked for, and what is written of it."""
