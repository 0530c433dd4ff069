"""Accounts, and the list of one's designs."""
