"""Other plans, and what they would cost."""
