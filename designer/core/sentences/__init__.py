"""Access patterns, requests, keys and plans in plain English."""
