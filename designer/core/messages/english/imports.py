"""Messages about files of which no design can be made."""

TEMPLATES = {
    "import-too-large": (
        "{name} is larger than {megabytes} MB. Leave the rows out: `pg_dump --schema-only`, `mysqldump --no-data`."
    ),
    "import-no-file": "Choose a file, or paste a schema.",
    "import-file-too-large": (
        "The file is larger than {megabytes} MB. Leave the rows out, and send the schema alone."
    ),
    "import-busy": "Too many schemas are being read at the moment. Send yours again in a minute.",
    "import-too-heavy": (
        "Reading it took more time or memory than one file may take. Leave the rows out, or send fewer tables."
    ),
    "import-design-too-large": (
        "The design of all these tables is larger than 1 MB, the most that a design may be. Send fewer tables."
    ),
    "import-empty": "{name} is empty. Paste a schema, or choose a file.",
    "import-not-utf8": "{name} is not text in UTF-8. Save it as UTF-8, or export it as plain SQL.",
    "import-not-text": "{name} is not text. Export it as plain SQL.",
    "import-unknown-format": ("Keywright cannot read {name}. It reads {formats:several}."),
    "import-many-keys": (
        "There are {count:,} foreign keys, and a design has at most {most:,} relationships; split it into several "
        "designs."
    ),
    "no-design-of-schema": "No design can be made from this schema as it is.",
    "sql-own-format": (
        "{name} is a dump in PostgreSQL's own format. Write it as SQL: `pg_dump --schema-only`."
    ),
    "sql-no-tables": (
        "{name} creates no table that can be read. It needs CREATE TABLE statements of {dialects:or}, such as pg_dump "
        "writes."
    ),
    "sql-too-many-statements": (
        "There are more than {most:,} statements about tables. Leave out what the design does not need."
    ),
    "sql-table-unreadable": "The table that begins at line {line} cannot be read: line {at}.",
    "sql-table-unreadable-near": (
        "The table that begins at line {line} cannot be read: line {at}, near `{near}`."
    ),
    "sql-table-unended": (
        "The table that begins at line {line} never ends: a bracket is open, or the file is cut off."
    ),
    "sql-too-many-tables": (
        "There are more than {most} tables, the most that a design holds; split it into several designs."
    ),
    "sql-statement-too-long": "The statement at line {line} is longer than {most:,} characters.",
    "sql-too-deep": (
        "The statement at line {line} nests brackets more deeply than can be read ({most})."
    ),
    "sql-rows-unended": (
        "The rows of {table} that begin at line {line} never end: the file seems cut off."
    ),
    "sql-comment-unended": (
        "The comment {mark} at line {line} never ends: the file is cut off, or in another dialect."
    ),
    "sql-quote-unended": (
        "The quote {mark} at line {line} never ends: the file is cut off, or in another dialect."
    ),
}
