"""The kinds of alarm, one file each."""
