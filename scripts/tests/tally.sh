#!/usr/bin/env bash
# Tests counting: the output of each test runner, and the numbers that it must give.
# shellcheck source=scripts/lib/common.sh
. "$(dirname "${BASH_SOURCE[0]}")/../lib/common.sh"
# shellcheck source=scripts/lib/tally.sh
. "$ROOT/scripts/lib/tally.sh"

status=0
# counts EXPECTED: counts standard input, which must give "PASSED FAILED SKIPPED".
counts() {
  local got
  got=$(tally_of)
  [ "$got" = "$1" ] || {
    say "must be $1, but is $got"
    status=1
  }
}

counts "41 1 0" <<'END'
  1/42 Test  #1: Router.finds ....................   Passed    0.00 sec
  2/42 Test  #2: Router.loses ....................***Failed    0.00 sec
98% tests passed, 1 tests failed out of 42
END
counts "7 2 1" <<'END'
[ RUN      ] Router.finds
[       OK ] Router.finds (0 ms)
[  FAILED  ] Router.loses (1 ms)
[==========] 10 tests from 1 test suite ran. (12 ms total)
[  PASSED  ] 7 tests.
[  SKIPPED ] 1 test, listed below:
[  SKIPPED ] Router.skips
[  FAILED  ] 2 tests, listed below:
[  FAILED  ] Router.loses
[  FAILED  ] Router.wanders
END
counts "5 0 1" <<'END'
ℹ tests 6
ℹ pass 5
ℹ fail 0
ℹ skipped 1
END
counts "5 3 2" <<'END'
# pass 5
# fail 3
# skipped 1
# todo 1
END
counts "13 0 0" <<'END'
100% tests passed, 0 tests failed out of 3
[  PASSED  ] 1 test.
# pass 9
END

failures=$(failures_within <<'END'
1/3 Test: all_of_a_program
[ RUN      ] Router.finds
[       OK ] Router.finds (0 ms)
[ RUN      ] Router.loses
router_test.cpp:7: Failure
[  FAILED  ] Router.loses (1 ms)
[ RUN      ] Router.waits
[       OK ] Router.waits (0 ms)
Test Passed.
2/3 Test: ends_within_a_test
[ RUN      ] Router.ends
ERROR: AddressSanitizer: heap-use-after-free
Test Failed.
3/3 Test: of_node
# Subtest: finds
ok 1 - finds
# Subtest: loses
not ok 2 - loses
  ---
  error: 'lost'
  ...
1..2
Test Passed.
END
)
expected='[ RUN      ] Router.loses
router_test.cpp:7: Failure
[  FAILED  ] Router.loses (1 ms)
[ RUN      ] Router.ends
ERROR: AddressSanitizer: heap-use-after-free
Test Failed.
# Subtest: loses
not ok 2 - loses
  ---
  error: '"'lost'"'
  ...'
[ "$failures" = "$expected" ] || {
  say "failures_within must print
$expected
but prints
$failures"
  status=1
}

# Two entries of one test each, one of six, one of node's with three; one that failed, one that was skipped.
within=$(tests_within <<'END'
1/6 Test: Router.finds
[  PASSED  ] 1 test.
Test Passed.
2/6 Test: all_of_a_program
[  PASSED  ] 6 tests.
[  SKIPPED ] 2 tests, listed below:
[  SKIPPED ] Texts.are_absent
[  SKIPPED ] Texts.are_absent_too
Test Passed.
3/6 Test: a_script
works
Test Passed.
4/6 Test: node
# pass 3
# fail 0
Test Passed.
5/6 Test: failing
[  PASSED  ] 4 tests.
[  FAILED  ] 1 test, listed below:
Test Failed.
6/6 Test: skipping
[  PASSED  ] 0 tests.
[  SKIPPED ] 1 test, listed below:
[  SKIPPED ] Suite.is_absent
Test Passed.
END
)
within+=$'\n83% tests passed, 1 tests failed out of 6'
counts "15 1 3" <<<"$within"

# ctest prints the output of an entry that failed, whose tests must be counted once.
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
mkdir -p "$folder/build/preset" "$folder/logs"
ln -s "$ROOT/scripts" "$folder/scripts"
cat >"$folder/build/preset/CTestTestfile.cmake" <<'END'
add_test(program sh -c "printf '[  PASSED  ] 4 tests.\\n[  FAILED  ] 1 test, listed below:\\n'; exit 1")
END
# shellcheck disable=SC2016  # for the other shell
line=$(bash -c 'ROOT=$1 STAGE_FAILURES=()
  . "$ROOT/scripts/lib/ctest.sh"
  run_and_count preset 1 "$ROOT/logs" >/dev/null 2>&1
  closing_line "$ROOT/logs"' _ "$folder")
[ "$line" = "4 passed, 1 failed, 0 skipped" ] || {
  say "a failed entry of ctest counts as: $line"
  status=1
}
exit "$status"
