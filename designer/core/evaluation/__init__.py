"""All that follows from a design: its plans and findings, what is missing, and what takes long."""
