"""Many people who edit one design at once on a server as in production, and the proof that nothing was lost."""
