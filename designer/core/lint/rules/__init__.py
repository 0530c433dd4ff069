"""The rules, one a file, found by being here."""
