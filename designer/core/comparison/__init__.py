"""The styles side by side: pattern by pattern, in totals, by the criteria between them, and which to take and why."""
