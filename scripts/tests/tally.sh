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

counts "9 3 1" <<'END'
1/6 Testing: Router.finds
1/6 Test: Router.finds
Output:
[  PASSED  ] 1 test.
Test Passed.
2/6 Test: all_of_a_program
[  PASSED  ] 6 tests.
[  FAILED  ] 1 test, listed below:
[  FAILED  ] Router.loses
Test Failed.
3/6 Test: a_script
works
Test Passed.
4/6 Test: a_script_that_fails
Test Failed.
5/6 Test: absent
[  PASSED  ] 0 tests.
[  SKIPPED ] 1 test, listed below:
Test Passed.
6/6 Test: killed_after_its_summary
[  PASSED  ] 1 test.
Test Failed.
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
counts "10 0 0" <<'END'
[  PASSED  ] 1 test.
# pass 9
END
exit "$status"
