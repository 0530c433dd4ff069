"""Messages about backups: that they were made or restored, or why they cannot be."""

TEMPLATES = {
    "backup-written": "Wrote {bytes:,} bytes to {folder}.",
    "backup-without-secret": (
        "The backup does not contain KEYWRIGHT_SECRET_KEY. Keep the key with the backup."
    ),
    "backup-restored": "Restored {file}. Run `manage.py migrate`, then start the site.",
    "database-kept": ("The previous database is now {file}. Remove it when you no longer need it."),
    "postgresql-instead": (
        "The database is PostgreSQL, which has its own programs for this. Nothing was done. Run the following command, "
        "with the password in PGPASSWORD or ~/.pgpass:\n\n  {command}\n\nKeep KEYWRIGHT_SECRET_KEY with the file: "
        "without it everybody is signed out."
    ),
    "backup-folder-exists": "{folder} already exists; name a folder that does not.",
    "no-database-at": "There is no database at {file}.",
    "database-stands-at": "There is a database at {file}; --replace replaces it with the backup.",
    "not-a-database": "{file} cannot be read as a database: {problem}.",
    "database-damaged": "{file} is damaged: {problem}.",
    "not-a-backup": "{folder} is not a backup: it has no {note} that can be read.",
    "backup-of-other-version": "{folder} was made by another version of Keywright.",
    "backup-incomplete": "{folder} is not a complete backup: it has no {file}.",
    "backup-of-something-else": "The backup has no database of Keywright: {problem}.",
    "backup-of-newer-version": (
        "The backup was made by a newer version: {migration} is unknown here. Install that version first."
    ),
    "site-is-running": "The site is using this database. Stop the site first.",
    "site-holds-database": "The site is using this database ({problem}). Stop the site first.",
    "worker-is-running": (
        "The site is using this database: a worker reported within the last minute. Stop the site first; after "
        "kill -9, wait a minute."
    ),
}
