"""What structures and reads through them cost."""
