#!/usr/bin/env bash
# Amazon's DynamoDB Local, in memory.
#
#   tools/dynamodb_local.sh install   fetch it once, check it, keep it in the cache
#   tools/dynamodb_local.sh java      say which java would run it
#   tools/dynamodb_local.sh PORT      install if need be, listen on PORT, print "ready" when it
#                                     answers, and stay until told to stop
#
# It takes any credentials and listens on every interface, having no option for one; it is for tests.
# Amazon's own amplify-dynamodb-simulator carries it in an npm package, so that no download outside
# a package registry is needed. It wants npm for the first time and Java 11 or newer always.
# KEYWRIGHT_DYNAMODB_LOCAL names the folder of a copy to use instead.
set -euo pipefail

package=amplify-dynamodb-simulator@2.9.30
sha256=454305e9bc3e6ebcca5b62569869e31563b8d7e346474e94557b2600702146c7
home=${KEYWRIGHT_DYNAMODB_LOCAL:-${XDG_CACHE_HOME:-$HOME/.cache}/keywright/dynamodb-local-2.9.30}

fail() { echo "DynamoDB Local: $*" >&2; exit 1; }

hash_of() {
  if command -v sha256sum >/dev/null; then sha256sum "$1"; else shasum -a 256 "$1"; fi | cut -d ' ' -f 1
}

find_java() {
  # Homebrew keeps its Java out of PATH.
  local java
  for java in "${JAVA_HOME:-/nowhere}/bin/java" java /opt/homebrew/opt/openjdk@17/bin/java \
    /usr/local/opt/openjdk@17/bin/java; do
    # macOS has a `java` that only says where to get one.
    if "$java" -version >/dev/null 2>&1; then echo "$java"; return; fi
  done
  return 1
}

install() {
  [[ -f $home/DynamoDBLocal.jar ]] && return
  [[ -z ${KEYWRIGHT_DYNAMODB_LOCAL:-} ]] || fail "no DynamoDBLocal.jar in $home"
  command -v npm >/dev/null || fail "npm is needed to fetch it; \`make test\` installs it"
  # Fetched beside its place and moved there whole: a broken or a second fetch leaves nothing half.
  mkdir -p "$(dirname "$home")"
  work=$(mktemp -d "$home.XXXXXX")
  trap 'rm -rf "$work"' EXIT
  (cd "$work" && npm pack --silent "$package" >archive.name 2>npm.log) || fail "$(cat "$work/npm.log")"
  tar -xzf "$work/$(cat "$work/archive.name")" -C "$work"
  local found
  found=$(hash_of "$work/package/emulator/DynamoDBLocal.jar")
  [[ $found == "$sha256" ]] || fail "DynamoDBLocal.jar of $package has sha256 $found, not $sha256"
  [[ -d $home ]] || mv "$work/package/emulator" "$home"
  rm -rf "$work"
  trap - EXIT
}

serve() {
  local java
  java=$(find_java) || fail "Java 11 or newer is needed; \`make test\` installs it"
  cd "$home"
  "$java" -Djava.library.path=./DynamoDBLocal_lib -Xmx512m -jar DynamoDBLocal.jar \
    -inMemory -sharedDb -disableTelemetry -port "$1" >/dev/null 2>&1 &
  local server=$!
  trap 'kill "$server" 2>/dev/null || true' EXIT
  trap 'exit 0' INT TERM
  local tries
  for ((tries = 0; tries < 300; tries++)); do
    kill -0 "$server" 2>/dev/null || fail "it stopped at once; is port $1 taken?"
    if (exec 3<>"/dev/tcp/127.0.0.1/$1") 2>/dev/null; then
      echo ready
      wait "$server"
      return
    fi
    sleep 0.1
  done
  fail "no answer on port $1 within 30 seconds"
}

case ${1:-} in
  install) install ;;
  java) find_java ;;
  [0-9]*) install && serve "$1" ;;
  *) sed -n '2,/^set /s/^# \{0,1\}//p' "$0"; exit 2 ;;
esac
