"""What is stated, a kind of part a file."""
