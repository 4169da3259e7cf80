#!/usr/bin/env bash
# A run that is interrupted while it changes records restores every one of them, and says that it was
# interrupted. Usage: interruption.sh MOCK_SERVER CONTRACT_TESTS SUBJECTS
set -euo pipefail

readonly server=$1 suite=$2 subjects=$3
readonly token='Authorization: Bearer dodo_test_interruption'
work=$(mktemp -d)
mock=
cleanup() {
  [ -z "$mock" ] || kill "$mock" 2>/dev/null || true
  rm -rf "$work"
}
trap cleanup EXIT

fail() {
  printf 'interruption: %s\n' "$1" >&2
  exit 1
}

# The first line of the mock's output names its address.
start_double() {
  "$server" --port 0 --quiet >"$work/mock" 2>"$work/mock.errors" &
  mock=$!
  for _ in $(seq 3000); do
    url=$(sed -n 's/^listening on //p' "$work/mock")
    [ -n "$url" ] && return
    sleep 0.02
  done
  fail "the mock does not start"
}

brand() {
  curl -sS -X PATCH -H "$token" -H 'Content-Type: application/json' --data '{}' "$url/brands/$1"
}

is_changed() {
  brand "$id" | grep -qE 'Counterpart (Atlas|Gazette)|COUNTERPART (ATLAS|GAZETTE)|@counterpart\.example'
}

# Interrupts the suite as soon as the record shows a change; its exit code goes to `code`. At its
# pace a change lasts a second, so that even a busy machine sees one.
interrupt_once() {
  local suite_process tries=0
  "$suite" --base-url "$url" --subjects "$subjects" --token dodo_test_interruption --allow-writes \
    --rate 2 --gtest_filter='PATCH*is_stored*' >"$work/suite" 2>&1 &
  suite_process=$!
  until is_changed; do
    tries=$((tries + 1))
    if [ "$tries" -gt 5000 ] || ! kill -0 "$suite_process" 2>/dev/null; then
      break
    fi
  done
  # Twice at once, as supervisors do that signal a process and its group: that is one signal.
  kill -INT "$suite_process" 2>/dev/null || true
  kill -TERM "$suite_process" 2>/dev/null || true
  code=0
  wait "$suite_process" || code=$?
}

main() {
  local id before after
  start_double
  id=$(sed -n 's/^brand: *//p' "$subjects" | tr -d '"')
  [ -n "$id" ] || fail "$subjects names no brand"
  before=$(brand "$id")
  for _ in 1 2 3 4 5; do
    interrupt_once
    after=$(brand "$id")
    [ "$before" = "$after" ] || fail "the brand was $before but is now $after"
    if [ "$code" -eq 3 ] && grep -q 'the run was interrupted' "$work/suite"; then
      printf 'interrupted, and every record is as it was\n'
      return
    fi
  done
  cat "$work/suite"
  fail "no run was interrupted in the middle (the last one ended with $code)"
}

main
