#!/usr/bin/env bash
# A suite that is killed ends the mock that it started. Usage: killed.sh MOCK_SERVER
# CONTRACT_TESTS
set -euo pipefail

export COUNTERPART_MOCK_SERVER=$1
readonly suite=$2
run=

trap '[ -z "$run" ] || kill -KILL "$run" 2>/dev/null || true' EXIT

fail() {
  printf 'killed: %s\n' "$1" >&2
  exit 1
}

# Waits until the command given succeeds.
until_true() {
  for _ in $(seq 3000); do
    if "$@" >/dev/null 2>&1; then
      return
    fi
    sleep 0.02
  done
  fail "in vain: $*"
}

# A zombie process (where process 1 is not an init) is gone too.
is_gone() {
  ! kill -0 "$1" 2>/dev/null || grep -q '^State:[[:space:]]*Z' "/proc/$1/status"
}

# The processes whose parent is the given one, a line each; fails when there is none. Others may
# end while they are looked at.
children_of() {
  { grep -ls "^PPid:[[:space:]]*$1\$" /proc/[0-9]*/status || true; } | cut -d/ -f3 | grep .
}

env -u TEST_API_BASE_URL -u GTEST_TOTAL_SHARDS "$suite" --rate 1 >/dev/null 2>&1 &
run=$!
until_true children_of "$run"
mock=$(children_of "$run")
kill -0 "$mock" || fail "the mock does not run"
kill -KILL "$run"
wait "$run" 2>/dev/null || true
until_true is_gone "$mock"
printf 'the suite was killed, and its mock is gone\n'
