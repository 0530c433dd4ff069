#!/usr/bin/env bash
# Run a command with DATABASE_URL naming a PostgreSQL of its own, made for it and removed after it:
#
#   tools/with_postgres.sh COMMAND ARGUMENT...
#
# The server listens on a socket in a temporary folder only, so it meets no other server. It refuses
# to run as root, so for root it runs as the user `postgres` (or `nobody`).
set -euo pipefail

newest_bin() {
  # Debian and Homebrew keep the server's programs out of PATH.
  local initdb
  # shellcheck disable=SC2012 # these names hold no surprises
  initdb=$(command -v initdb ||
    ls -d /usr/lib/postgresql/*/bin/initdb /opt/homebrew/opt/postgresql@*/bin/initdb \
      /usr/local/opt/postgresql@*/bin/initdb 2>/dev/null | sort -V | tail -n 1) || true
  [[ -n $initdb ]] && dirname "$initdb"
}

bin=$(newest_bin) || { echo "PostgreSQL's initdb was not found; \`make test\` installs it." >&2; exit 1; }
[[ $# -gt 0 ]] || { echo "$bin"; exit; }

# /tmp, not TMPDIR: a socket's path has at most 103 characters, and another user must reach it.
home=$(mktemp -d /tmp/keywright-postgres.XXXXXX)
as_server() { "$@"; }
if [[ $(id -u) == 0 ]]; then
  user=postgres
  id "$user" >/dev/null 2>&1 || user=nobody
  chown "$user" "$home"
  as_server() { (cd / && setpriv --reuid "$user" --clear-groups -- env HOME="$home" "$@"); }
fi
stop() {
  as_server "$bin/pg_ctl" stop --silent --mode immediate -D "$home/data" >/dev/null 2>&1 || true
  rm -rf "$home"
}
trap stop EXIT
trap 'exit 130' INT
trap 'exit 143' TERM

as_server "$bin/initdb" -D "$home/data" -U keywright --auth trust --encoding UTF8 --locale C --no-sync \
  >"$home/initdb.log" 2>&1 || { cat "$home/initdb.log" >&2; exit 1; }
as_server "$bin/pg_ctl" start --silent --wait -D "$home/data" -l "$home/data/server.log" \
  -o "-c listen_addresses='' -c unix_socket_directories=$home -c fsync=off" ||
  { cat "$home/data/server.log" >&2; exit 1; }

# The folder is the server's alone, and what it holds is worth nothing: trusting its socket is safe.
DATABASE_URL="postgres://keywright@/postgres?host=$home" "$@"
