"""What a site stands: a flood of hostile requests beside ordinary people, many readers, many editors.

    python -m tests.load flood [--site FOLDER]
    python -m tests.load readers [--site FOLDER]
    python -m tests.load editors [--site FOLDER]
    python -m tests.load hosts

Each starts a site of its own from a checkout, as `make run` does, sends it requests on this machine for a minute or
two, and prints a small table. DATABASE_URL may name a PostgreSQL server.
"""
