#!/usr/bin/env bash
# The set-up that every command does, with stand-ins for dpkg-query, apt-get, sudo and id.
# shellcheck source=scripts/lib/common.sh
. "$(dirname "${BASH_SOURCE[0]}")/../lib/common.sh"

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir "$work/bin"

# stand_in NAME BODY: a program of that name that comes before the real one.
stand_in() {
  printf '#!/bin/bash\n%s\n' "$2" >"$work/bin/$1"
  chmod +x "$work/bin/$1"
}

# attempt UID IS_DEBIAN_12 SUDO INSTALLED: runs ensure_packages for a build where only INSTALLED is
# there; leaves what was said in $work/said, what apt-get was asked in $work/apt, and prints the
# exit code.
attempt() {
  local status=0
  : >"$work/apt"
  stand_in id "echo $1"
  stand_in sudo "$3"
  stand_in apt-get "echo \"\$*\" >>'$work/apt'"
  stand_in dpkg-query "for name in $4; do echo \"installed \$name\"; done"
  PATH="$work/bin:$PATH" bash -c "
    . '$ROOT/scripts/lib/common.sh'
    . '$ROOT/scripts/lib/packages.sh'
    is_debian_12() { $2; }
    ensure_packages build" >"$work/said" 2>&1 </dev/null || status=$?
  echo "$status"
}

failed=0
passed=0
# expect WHAT COMMAND...
expect() {
  local what=$1
  shift
  if "$@"; then
    passed=$((passed + 1))
  else
    say "FAILED: $what; said:"
    cat "$work/said" "$work/apt" >&2
    failed=$((failed + 1))
  fi
}

# shellcheck source=scripts/lib/packages.sh
. "$ROOT/scripts/lib/packages.sh"
all=$(packages_of build | tr '\n' ' ')
some=${all/ ninja-build / }

expect "with everything there, nothing is done" [ "$(attempt 0 true false "$all")" = 0 ]
expect "and nothing is said" [ ! -s "$work/said" ]

expect "root installs what is missing" [ "$(attempt 0 true false "$some")" = 0 ]
expect "and only that" grep -qx 'install .* --no-install-recommends ninja-build' "$work/apt"
expect "and says so" grep -qx 'Installing with apt-get: ninja-build' "$work/said"

# shellcheck disable=SC2016  # the stand-in expands it
expect "sudo is used where it asks nothing" \
  [ "$(attempt 1000 true '[ "$1" = -n ] && shift; exec "$@"' "$some")" = 0 ]
expect "to install the same" grep -qx 'install .* --no-install-recommends ninja-build' "$work/apt"

expect "without root, the script stops" [ "$(attempt 1000 true 'exit 1' "$some")" = 2 ]
expect "with a remedy" grep -q '^Remedy: .*apt-get install .*ninja-build$' "$work/said"
expect "and nothing was tried" [ ! -s "$work/apt" ]

expect "on another system, the script stops" [ "$(attempt 0 false false "$some")" = 2 ]
expect "with the list" grep -qx '  ninja-build' "$work/said"
expect "and nothing was tried there" [ ! -s "$work/apt" ]
expect "on another system with everything there, nothing is done" \
  [ "$(attempt 1000 false 'exit 1' "$all")" = 0 ]

say "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
