"""The keys that are worth a look."""
