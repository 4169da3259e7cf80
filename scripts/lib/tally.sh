# shellcheck shell=bash
# Counts tests from the output of several test runners.

# Reads standard input and prints "PASSED FAILED SKIPPED": the sums of the summary lines of ctest,
# GoogleTest and node's test runner.
tally_of() {
  awk '
    # ctest: "98% tests passed, 2 tests failed out of 100"
    / tests passed, [0-9]+ tests failed out of / {
      n = split($0, w, /[^0-9]+/)
      failed += w[2]; passed += w[3] - w[2]
    }
    # -1: tests_within, of an entry that skipped all of its tests
    /^\[  PASSED  \] -?[0-9]+ test/ { passed += $4 }
    /^\[  FAILED  \] -?[0-9]+ test/ { failed += $4 }
    /^\[  SKIPPED \] [0-9]+ test/ { skipped += $4; }
    # node, in its "spec" and "tap" forms
    /^(ℹ|#) pass [0-9]+$/ { passed += $3 }
    /^(ℹ|#) fail [0-9]+$/ { failed += $3 }
    /^(ℹ|#) (skipped|todo) [0-9]+$/ { skipped += $3 }
    END { print passed + 0, failed + 0, skipped + 0 }
  '
}

# Reads the log of ctest (LastTest.log), whose summary counts entries, and prints summary lines for each entry
# that counts its tests itself: of those beyond the entry.
tests_within() {
  awk '
    /^[0-9]+\/[0-9]+ Test: / { counts = passed = failed = skipped = 0 }
    /^\[  SKIPPED \] [0-9]+ test/ { skipped += $4 }
    /^\[  PASSED  \] [0-9]+ test/ { passed += $4; counts = 1 }
    /^\[  FAILED  \] [0-9]+ test/ { failed += $4 }
    /^(ℹ|#) pass [0-9]+$/ { passed += $3; counts = 1 }
    /^(ℹ|#) fail [0-9]+$/ { failed += $3 }
    counts && /^Test (Passed|Failed)\.$/ {
      if ($2 == "Passed.") --passed; else --failed
      printf "[  PASSED  ] %d tests.\n[  FAILED  ] %d tests.\n[  SKIPPED ] %d tests.\n", passed, failed, skipped
    }
  '
}

# Reads the log of ctest (LastTest.log) and prints what each test that failed had printed, or the first 60 lines of
# that: an entry may have hundreds of tests. A program that ended within a test has failed in it.
failures_within() {
  awk '
    function show() { for (i = 1; i <= n && i <= 60; ++i) print lines[i]; n = 0 }
    /^[0-9]+\/[0-9]+ Test: / || /^\[ RUN      \] / || /^ *# Subtest: / { n = 0 }
    { lines[++n] = $0 }
    /^\[       OK \] / || /^ *ok [0-9]+ / || /^Test Passed\.$/ { n = 0 }
    /^\[  FAILED  \] .* \([0-9]+ ms\)$/ || /^Test Failed\.$/ { show() }
    /^ *not ok [0-9]+ / { inside = 1 }
    inside && /^ *\.\.\.$/ { inside = 0; show() }
  '
}

# closing_line FOLDER: prints the numbers of tests in all logs of the folder, for scripts with stages
# (common.sh); a stage that failed without a failed test counts as one.
closing_line() {
  local passed failed skipped
  read -r passed failed skipped < <(find "$1" -name '*.log' -exec cat {} + | tally_of)
  [ "$failed" -ge "${#STAGE_FAILURES[@]}" ] || failed=${#STAGE_FAILURES[@]}
  printf '%d passed, %d failed, %d skipped\n' "$passed" "$failed" "$skipped"
}
