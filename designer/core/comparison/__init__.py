"""The styles side by side: question by question, in totals, by the criteria between them, and which to take and why."""
