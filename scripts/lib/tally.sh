# shellcheck shell=bash
# Counting tests over runners that each print their own closing lines.

# Prints "PASSED FAILED SKIPPED", added up over the closing lines of ctest, GoogleTest and node's test
# runner that standard input holds.
tally_of() {
  awk '
    # ctest: "98% tests passed, 2 tests failed out of 100"
    / tests passed, [0-9]+ tests failed out of / {
      n = split($0, w, /[^0-9]+/)
      failed += w[2]; passed += w[3] - w[2]
    }
    /^\[  PASSED  \] [0-9]+ test/ { passed += $4 }
    /^\[  FAILED  \] [0-9]+ test/ { failed += $4 }
    /^\[  SKIPPED \] [0-9]+ test/ { skipped += $4; }
    # node, in its "spec" and "tap" forms
    /^(ℹ|#) pass [0-9]+$/ { passed += $3 }
    /^(ℹ|#) fail [0-9]+$/ { failed += $3 }
    /^(ℹ|#) (skipped|todo) [0-9]+$/ { skipped += $3 }
    END { print passed + 0, failed + 0, skipped + 0 }
  '
}

# closing_line FOLDER: one line that counts tests over every log below it, for scripts with stages
# (common.sh); a stage that failed without naming a test counts as one.
closing_line() {
  local passed failed skipped
  read -r passed failed skipped < <(find "$1" -name '*.log' -exec cat {} + | tally_of)
  [ "$failed" -ge "${#STAGE_FAILURES[@]}" ] || failed=${#STAGE_FAILURES[@]}
  printf '%d passed, %d failed, %d skipped\n' "$passed" "$failed" "$skipped"
}
