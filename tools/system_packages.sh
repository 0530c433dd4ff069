#!/usr/bin/env bash
# Install the system packages that are missing, with apt-get or Homebrew, saying so:
#
#   tools/system_packages.sh python   what making .venv needs
#   tools/system_packages.sh pdf      Pango and HarfBuzz, which WeasyPrint draws with
#   tools/system_packages.sh tests    Chromium, Java, npm (once, for DynamoDB Local), PostgreSQL, nginx
#
# What is there already is never touched: each part is asked whether it works, not whether a package
# is installed. PYTHON is the interpreter that makes .venv.
set -euo pipefail
cd "$(dirname "$0")/.."

python_works() { "${PYTHON:-python3}" -c 'import ensurepip, venv' 2>/dev/null; }
pdf_works() { .venv/bin/python -W error::DeprecationWarning -c 'import weasyprint' >/dev/null 2>&1; }
chromium_works() { .venv/bin/python -m tests.chromium >/dev/null 2>&1; }
java_works() { tools/dynamodb_local.sh java >/dev/null 2>&1; }
nginx_works() { PATH="$PATH:/usr/sbin" command -v nginx >/dev/null; }
postgres_works() { tools/with_postgres.sh >/dev/null 2>&1; }
npm_works() {
  command -v npm >/dev/null && return
  local home=${KEYWRIGHT_DYNAMODB_LOCAL:-${XDG_CACHE_HOME:-$HOME/.cache}/keywright/dynamodb-local-2.9.30}
  [[ -f $home/DynamoDBLocal.jar ]]
}

apt_install() {
  as_root env DEBIAN_FRONTEND=noninteractive apt-get install -qq --yes --no-install-recommends \
    -o Dpkg::Use-Pty=0 "$@" >/dev/null
}

as_root() {
  if [[ $(id -u) == 0 ]]; then "$@"; else sudo -- "$@"; fi
}

apt_has() { [[ $(apt-cache policy "$1" 2>/dev/null) == *"Candidate: "[^\(]* ]]; }

first_in_apt() {
  local name
  for name in "$@"; do if apt_has "$name"; then echo "$name"; return; fi; done
  echo "$1"
}

apt_names() {
  case $1 in
    python) "${PYTHON:-python3}" -c 'import sys; print("python%d.%d-venv" % sys.version_info[:2])' ;;
    pdf) echo libpango-1.0-0 libpangoft2-1.0-0 libharfbuzz-subset0 ;;
    chromium) echo libatomic1; if apt_has chromium; then echo chromium; fi ;;
    java) first_in_apt openjdk-17-jre-headless default-jre-headless ;;
    npm) echo npm ;;
    postgres) echo postgresql ;;
    nginx) echo nginx-light ;;
  esac
}

brew_names() {
  case $1 in
    python) echo python@3.13 ;;
    pdf) echo pango harfbuzz ;;
    java) echo openjdk@17 ;;
    npm) echo node ;;
    postgres) echo postgresql@17 ;;
    nginx) echo nginx ;;
  esac
}

case ${1:-} in
  python | pdf) parts=$1 ;;
  tests) parts="chromium java npm postgres nginx" ;;
  *) sed -n '2,/^set /s/^# \{0,1\}//p' "$0" >&2; exit 2 ;;
esac

missing=()
for part in $parts; do
  "${part}_works" || missing+=("$part")
done
((${#missing[@]})) || exit 0

apt_names_of_missing() { for part in "${missing[@]}"; do apt_names "$part"; done | xargs; }

if command -v apt-get >/dev/null; then
  if [[ $(id -u) != 0 ]] && ! command -v sudo >/dev/null; then
    echo "Missing: ${missing[*]}. Run this as root, then try again:" >&2
    echo "  apt-get update && apt-get install --no-install-recommends $(apt_names_of_missing)" >&2
    exit 1
  fi
  # Package lists can be absent (containers) or too old to be fetched from; one update mends both.
  ls /var/lib/apt/lists/*_Packages* >/dev/null 2>&1 || as_root apt-get update -qq
  names=$(apt_names_of_missing)
  echo "Missing: ${missing[*]}. Installing with apt-get: $names"
  # shellcheck disable=SC2086 # one word for each package
  [[ -z $names ]] || apt_install $names || { as_root apt-get update -qq && apt_install $names; }
  # Ubuntu has Chromium as a snap only, which no container can run.
  if [[ " ${missing[*]} " == *" chromium "* ]] && ! chromium_works; then
    .venv/bin/playwright install --with-deps chromium
  fi
elif command -v brew >/dev/null; then
  for part in "${missing[@]}"; do
    if [[ $part == chromium ]]; then
      echo "Missing: chromium. Installing with Playwright."
      .venv/bin/playwright install chromium
    else
      echo "Missing: $part. Installing with Homebrew: $(brew_names "$part")"
      # shellcheck disable=SC2046
      brew install $(brew_names "$part")
    fi
  done
else
  echo "Missing: ${missing[*]}, and neither apt-get nor brew is here to install them." >&2
  echo "README.md says what each is for; install them your way and run this again." >&2
  exit 1
fi

for part in "${missing[@]}"; do
  "${part}_works" || { echo "$part is still missing after the installation." >&2; exit 1; }
done
