"""From patterns to entity reads: what each entity is asked for, and what is written of it."""
