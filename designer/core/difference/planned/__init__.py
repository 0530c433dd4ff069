"""What follows from a design, a kind of part a file: each compares two plans of one style."""
