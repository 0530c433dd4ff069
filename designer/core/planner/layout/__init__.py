"""How what is chosen is called and written."""
