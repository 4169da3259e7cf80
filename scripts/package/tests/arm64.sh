#!/usr/bin/env bash
# Makes the archive for arm64 and runs both programs of it in an emulator, each started as the launcher starts it: the
# five operations, the suite, a reload, state in SQLite. Where the packages of arm64 cannot be had, says so and ends.
# shellcheck source=scripts/lib/common.sh
. "$(dirname "${BASH_SOURCE[0]}")/../../lib/common.sh"
# shellcheck source=scripts/tests/serving.sh
. "$ROOT/scripts/tests/serving.sh"
# shellcheck source=scripts/package/tests/operations.sh
. "$ROOT/scripts/package/tests/operations.sh"
# shellcheck source=scripts/package/sysroot.sh
. "$ROOT/scripts/package/sysroot.sh"

ensure_packages build package
make_sysroot "$ROOT/build/sysroot-arm64" || {
  say "arm64: NOT TESTED, its packages cannot be downloaded here"
  exit 0
}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
"$ROOT/scripts/package.sh" --arch arm64 --only archive --output "$work/dist"
tar -xzf "$work"/dist/*.tar.gz -C "$work"
archive=$(echo "$work"/counterpart-*-linux-arm64)
libraries="$archive/lib/counterpart"

# emulated PROGRAM ARGUMENT...: as the launcher starts it.
emulated() {
  local program=$1
  shift
  exec qemu-aarch64-static "$libraries/ld-linux-aarch64.so.1" --inhibit-cache --argv0 "$archive/bin/$program" \
    --library-path "$libraries" "$libraries/$program" "$@"
}

# The launcher finds all that it starts; only the machine's kernel may not be able to.
said=$(qemu-aarch64-static "$archive/bin/mock_server" --version 2>&1) || true
[[ $said == mock_server\ * || $said == *"Exec format error"* ]] || die 1 "the launcher says: $said"

mkdir "$work/fixtures"
brand="brands/brnd_F5ZR3qa7yEeeby3abP3E2"
serve "$work/log" emulated mock_server --port 0 --state "sqlite:$work/state" --fixtures "$work/fixtures"
the_five "$SERVED_URL" || die 1 "an operation failed"
(emulated contract_tests --base-url "$SERVED_URL" >"$work/suite" 2>&1) || die 1 "contract_tests: $(tail -20 "$work/suite")"
say "arm64: $(tail -1 "$work/suite")"
before=$(curl -sf "$SERVED_URL/_mock/health")
kill -HUP "$SERVED_PID"
for ((try = 0; try < 200; try++)); do
  [ "$(curl -sf "$SERVED_URL/_mock/health")" = "$before" ] || break
  sleep 0.1
done
[ "$try" -lt 200 ] || die 1 "SIGHUP loads nothing: $before"
stop_serving
serve "$work/log" emulated mock_server --port 0 --state "sqlite:$work/state" --fixtures "$work/fixtures"
curl -sf -H "$TOKEN" -X PATCH -H 'Content-Type: application/json' -d '{"name": "Kept"}' "$SERVED_URL/$brand" >/dev/null
stop_serving
serve "$work/log" emulated mock_server --port 0 --state "sqlite:$work/state" --fixtures "$work/fixtures"
curl -sf -H "$TOKEN" -X PATCH -H 'Content-Type: application/json' -d '{}' "$SERVED_URL/$brand" | grep '"Kept"' >/dev/null ||
  die 1 "the brand's new name did not outlive the program"
stop_serving
say "arm64: five operations, the suite, a reload and SQLite work in an emulator"
