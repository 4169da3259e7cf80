#!/usr/bin/env bash
# Tests the installation of packages, with fakes of dpkg-query, apt-get, sudo and id.
# shellcheck source=scripts/lib/common.sh
. "$(dirname "${BASH_SOURCE[0]}")/../lib/common.sh"

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir "$work/bin"

# fake NAME BODY: a shell script of that name, found before the real program.
fake() {
  printf '#!/bin/bash\n%s\n' "$2" >"$work/bin/$1"
  chmod +x "$work/bin/$1"
}

# attempt UID SYSTEM SUDO INSTALLED [UNAVAILABLE]: runs ensure_packages on the system where only the packages
# INSTALLED are installed, and apt does not know UNAVAILABLE. Writes its output to $work/said and the arguments of apt-get to $work/apt; prints the exit
# code.
attempt() {
  local status=0
  : >"$work/apt"
  fake id "echo $1"
  fake sudo "$3"
  fake apt-get "echo \"\$*\" >>'$work/apt'"
  fake apt-cache "shift; for name; do [ \"\$name\" = '${5:-}' ] || printf '%s:\n  Candidate: 1\n' \"\$name\"; done"
  fake dpkg-query "for name in $4; do echo \"installed \$name\"; done"
  PATH="$work/bin:$PATH" env -u COUNTERPART_SKIP_PACKAGES bash -c "
    . '$ROOT/scripts/lib/common.sh'
    system_name() { echo '$2'; }
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
    say "FAILED: $what; the output:"
    cat "$work/said" "$work/apt" >&2
    failed=$((failed + 1))
  fi
}

all=$(packages_of build | tr '\n' ' ')
some=${all/ ninja-build / }

expect "with every package installed, nothing is done" [ "$(attempt 0 "debian 12" false "$all")" = 0 ]
expect "and nothing is printed" [ ! -s "$work/said" ]

expect "root installs what is missing" [ "$(attempt 0 "debian 12" false "$some")" = 0 ]
expect "and nothing else" grep -qx 'install .* --no-install-recommends ninja-build' "$work/apt"
expect "and prints it" grep -qx 'Installing with apt-get: ninja-build' "$work/said"

# shellcheck disable=SC2016  # the fake sudo expands it
expect "sudo is used if it asks for no password" \
  [ "$(attempt 1000 "debian 12" '[ "$1" = -n ] && shift; exec "$@"' "$some")" = 0 ]
expect "and installs the same" grep -qx 'install .* --no-install-recommends ninja-build' "$work/apt"

expect "without root, the script ends with 2" [ "$(attempt 1000 "debian 12" 'exit 1' "$some")" = 2 ]
expect "and prints a remedy" grep -q '^Remedy: .*apt-get install .*ninja-build$' "$work/said"
expect "and does not run apt-get" [ ! -s "$work/apt" ]

for system in "debian 13" "ubuntu 24.04"; do
  expect "on $system, packages are installed too" [ "$(attempt 0 "$system" false "$some")" = 0 ]
  expect "by the same names" grep -qx 'install .* --no-install-recommends ninja-build' "$work/apt"
done
expect "a package that the system lacks ends the script with 2" \
  [ "$(attempt 0 "ubuntu 24.04" false "$some" ninja-build)" = 2 ]
expect "and is named" grep -q ': ubuntu 24.04 has no package ninja-build; ' "$work/said"
expect "and nothing is installed" [ "$(grep -c '^install' "$work/apt")" = 0 ]

expect "on another system, the script ends with 2" [ "$(attempt 0 "fedora 40" false "$some")" = 2 ]
expect "and prints the packages" grep -qx '  ninja-build' "$work/said"
expect "and does not run apt-get there" [ ! -s "$work/apt" ]
expect "on another system with every package installed, nothing is done" \
  [ "$(attempt 1000 "fedora 40" 'exit 1' "$all")" = 0 ]

say "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
