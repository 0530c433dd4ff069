#!/bin/sh
# Start PgBouncer for the user keywright, whose password is POSTGRES_PASSWORD, before the PostgreSQL at DATABASE_HOST.
set -eu
umask 077
folder=$(mktemp -d /tmp/pgbouncer.XXXXXX)
here=$(dirname "$0")
: "${POSTGRES_PASSWORD:?the password of the user keywright}"
case $POSTGRES_PASSWORD in
  *\"*) echo "POSTGRES_PASSWORD must not hold a double quote." >&2; exit 1 ;;
esac
printf '"keywright" "%s"\n' "$POSTGRES_PASSWORD" >"$folder/users"
sed -e "s|@HOST@|${DATABASE_HOST:-database}|; s|@PORT@|${DATABASE_PORT:-5432}|; s|@FOLDER@|$folder|" \
  "$here/pgbouncer.ini" >"$folder/pgbouncer.ini"
exec "${PGBOUNCER:-pgbouncer}" "$folder/pgbouncer.ini"
