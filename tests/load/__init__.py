"""What a site stands: a flood of hostile requests beside ordinary people, and hosts that die.

    python -m tests.load flood [--site FOLDER] [--once]
    python -m tests.load class
    python -m tests.load hosts
    python -m tests.load servers

Each starts a site of its own from a checkout, as `make run` does, sends it requests on this machine for a minute or
two, and prints a small table. DATABASE_URL may name a PostgreSQL server. Many readers and editors: `make bench`.
"""
