#!/usr/bin/env bash
# Runs every script that has flags, from another folder: --help prints the usage, and a wrong flag is
# reported by name before anything is installed or built.
# shellcheck source=scripts/lib/common.sh
. "$(dirname "${BASH_SOURCE[0]}")/../lib/common.sh"

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
failed=0

# demand STATUS TEXT COMMAND...: the command must end with STATUS and print TEXT.
demand() {
  local wanted=$1 text=$2 status=0
  shift 2
  COUNTERPART_SKIP_PACKAGES=1 "$@" >said 2>&1 || status=$?
  if [ "$status" -ne "$wanted" ] || ! grep -qF -- "$text" said; then
    say "FAILED: $*: must end with $wanted and print \"$text\", but ended with $status and printed:"
    cat said >&2
    failed=$((failed + 1))
  fi
}

for name in bench fuzz package install lint release sanitized services soak test lint/schemas; do
  script="$ROOT/scripts/$name.sh"
  demand 0 "$(sed -n '2s/^# //p' "$script")" "$script" --help
done
for name in bench fuzz package install lint release sanitized services soak lint/schemas; do
  demand 2 --wrong "$ROOT/scripts/$name.sh" --wrong
done
demand 2 '--rounds must be a whole number above 0, but is "x"' "$ROOT/scripts/bench.sh" --rounds x
demand 2 '--seconds must be a whole number above 0, but is ""' "$ROOT/scripts/fuzz.sh" --seconds
demand 2 'MINUTES must be a whole number above 0, but is "1h"' "$ROOT/scripts/soak.sh" 1h
[ "$failed" -eq 0 ]
