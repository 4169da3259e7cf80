#!/usr/bin/env bash
# Runs the contract tests in a pipeline: run, reports, comparison with an earlier run, exit policy. The
# GitHub action and the GitLab template call it; other systems can. Takes environment variables, no
# arguments; README.md beside it lists them.
#   COUNTERPART_BASE_URL=https://test.payments.example scripts/ci/run.sh
set -euo pipefail

HERE=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
readonly HERE
readonly REPORT=${COUNTERPART_REPORT:-counterpart-report}
# A shard writes into a folder of its own (GoogleTest's variables).
RESULTS=$REPORT
[ "${GTEST_TOTAL_SHARDS:-1}" = 1 ] || RESULTS=$REPORT/shard_${GTEST_SHARD_INDEX:-0}
readonly RESULTS
readonly POLICY=${COUNTERPART_ON_INCONCLUSIVE:-fail}
readonly MAX_EARLIER_RUNS=5

say() { printf 'run.sh: %s\n' "$*" >&2; }

# warn TEXT: a line in the log, on GitHub also an annotation.
warn() {
  say "$*"
  [ "${GITHUB_ACTIONS:-}" != true ] || printf '::warning title=contract tests::%s\n' "$*"
}

# stop TEXT: ends the script before the run, with the outputs of a run that could not start.
stop() {
  say "$*"
  rm -f "$RESULTS/outputs.env"
  publish_outputs
  exit 2
}

# Installs the programs of a release for this run.
install_package() {
  local from=$COUNTERPART_PACKAGE
  [[ $from != *.tar.gz ]] || from=$(dirname "$from")
  "$HERE/../install.sh" --from "$from" --prefix "$REPORT.program" >&2 || stop "COUNTERPART_PACKAGE cannot be used (see above)"
  PROGRAM=$REPORT.program/bin/contract_tests
}

# The program: COUNTERPART_PROGRAM, of COUNTERPART_PACKAGE, on the PATH, installed beside this script, or built from
# its source tree.
find_program() {
  if [ -n "${COUNTERPART_PROGRAM:-}" ]; then
    PROGRAM=$COUNTERPART_PROGRAM
  elif [ -n "${COUNTERPART_PACKAGE:-}" ] && [ -x "$HERE/../install.sh" ]; then
    install_package
  elif command -v contract_tests >/dev/null; then
    PROGRAM=contract_tests
  elif [ -x "$HERE/../../../../bin/contract_tests" ]; then
    PROGRAM=$HERE/../../../../bin/contract_tests
  elif [ -x "$HERE/../contract.sh" ]; then
    PROGRAM=$HERE/../contract.sh
  else
    stop "cannot find contract_tests; name it with COUNTERPART_PROGRAM"
  fi
}

# add FLAG VALUE: a flag, unless its value is empty.
add() { [ -z "$2" ] || ARGUMENTS+=("$1" "$2"); }

read_inputs() {
  local words
  local -a more
  case $POLICY in
    fail | warn | pass) ;;
    *) stop "COUNTERPART_ON_INCONCLUSIVE must be fail, warn or pass, but is \"$POLICY\"" ;;
  esac
  ARGUMENTS=(--report "$REPORT" --annotate auto)
  add --base-url "${COUNTERPART_BASE_URL:-}"
  add --contract "${COUNTERPART_CONTRACT:-}"
  add --subjects "${COUNTERPART_SUBJECTS:-}"
  add --baseline "${COUNTERPART_BASELINE:-}"
  add --config "${COUNTERPART_CONFIG:-}"
  # Words as in a shell, with its quotes.
  words=$(xargs -n 1 printf '%s\n' <<<"${COUNTERPART_FLAGS:-}") || stop "a quote in COUNTERPART_FLAGS is not closed"
  mapfile -t more < <(grep . <<<"$words" || true)
  ARGUMENTS+=("${more[@]}")
}

# The results of the run, as NAME=VALUE.
read_outputs() {
  if [ -f "$RESULTS/outputs.env" ]; then
    cat "$RESULTS/outputs.env"
  else
    printf '%s\n' verdict=unusable exit_code=2 new=0 known=0 fixed=0 expired=0 coverage=0.0
  fi
}

# For later steps of a GitHub job, and as variables for later jobs (GitLab's dotenv report).
publish_outputs() {
  local name value
  mkdir -p "$REPORT"
  [ -z "${GITHUB_OUTPUT:-}" ] || { read_outputs && echo "report=$REPORT"; } >>"$GITHUB_OUTPUT"
  read_outputs | while IFS='=' read -r name value; do
    printf 'COUNTERPART_%s=%s\n' "${name^^}" "$value"
  done >"$REPORT/counterpart.env"
}

# The newest artifact of the branch in this workflow.
fetch_from_github() {
  local branch=$1 folder=$2 run
  command -v gh >/dev/null || { say "no earlier run: the program gh is missing"; return 1; }
  while read -r run; do
    gh run download "$run" --repo "$GITHUB_REPOSITORY" --dir "$folder" \
      --name "${COUNTERPART_ARTIFACT:-counterpart-report}" >&2 && return 0
  done < <(gh run list --repo "$GITHUB_REPOSITORY" --workflow "$GITHUB_WORKFLOW" --branch "$branch" \
    --status completed --limit "$MAX_EARLIER_RUNS" --json databaseId --jq '.[].databaseId')
  return 1
}

# The report of this job in the last successful pipeline of the branch.
fetch_from_gitlab() {
  local branch=$1 folder=$2 url
  url="$CI_API_V4_URL/projects/$CI_PROJECT_ID/jobs/artifacts/${branch//\//%2F}/raw/$REPORT/run.json"
  # The header comes from standard input: other users can see arguments.
  printf 'JOB-TOKEN: %s\n' "$CI_JOB_TOKEN" |
    curl -sS --fail --location --max-time 60 --get --data-urlencode "job=$CI_JOB_NAME" \
      --header @- --output "$folder/run.json" "$url"
}

# Sets EARLIER to the run.json to compare with: a file, or the last run of a branch; else "".
find_earlier_run() {
  # Beside the folder of the reports, which is uploaded.
  local with=${COUNTERPART_COMPARE_WITH:-} folder=$REPORT.earlier
  EARLIER=
  [ -n "$with" ] || return 0
  rm -rf "$folder"
  mkdir -p "$folder"
  if [ -f "$with" ]; then
    cp "$with" "$folder/run.json"  # this run may write to the same place
  elif [ "${GITHUB_ACTIONS:-}" = true ]; then
    fetch_from_github "$with" "$folder" || true
  elif [ "${GITLAB_CI:-}" = true ]; then
    fetch_from_gitlab "$with" "$folder" || true
  else
    say "COUNTERPART_COMPARE_WITH must be a file here: this is neither GitHub nor GitLab"
  fi
  if [ -f "$folder/run.json" ]; then
    EARLIER=$folder/run.json
  else
    say "there is no earlier run of $with to compare with"
  fi
}

# Sets COMPARED to 0, to 1 where the run is worse than the earlier one, or to "" where that is unknown.
compare_with_earlier_run() {
  local status=0
  local -a fail_on=()
  COMPARED=
  [ -n "$EARLIER" ] && [ -f "$RESULTS/run.json" ] || return 0
  [ -z "${COUNTERPART_FAIL_ON:-}" ] || fail_on=(--fail-on "$COUNTERPART_FAIL_ON")
  "$PROGRAM" compare "$EARLIER" "$RESULTS/run.json" --format markdown >"$REPORT/compare.md" || true
  [ -z "${GITHUB_STEP_SUMMARY:-}" ] || cat "$REPORT/compare.md" >>"$GITHUB_STEP_SUMMARY"
  "$PROGRAM" compare "$EARLIER" "$RESULTS/run.json" "${fail_on[@]}" || status=$?
  case $status in
    0 | 1) COMPARED=$status ;;
    *) say "the runs cannot be compared: the exit code of this run decides" ;;
  esac
}

# The exit code of this script, from that of the run and from the comparison.
decide() {
  local run=$1 decided=$1
  if [ "$run" -eq 3 ] && [ "$POLICY" != fail ]; then
    decided=0
    [ "$POLICY" != warn ] || warn "the run is inconclusive: it neither passed nor failed"
  fi
  # Red only for what is new: the comparison replaces "failed".
  if [ -n "${COUNTERPART_FAIL_ON:-}" ] && [ -n "$COMPARED" ] && [ "$run" -ne 2 ]; then
    [ "$run" -ne 1 ] || decided=0
    [ "$COMPARED" -eq 0 ] || decided=1
  fi
  return "$decided"
}

trap 'rm -rf "$REPORT.earlier" "$REPORT.program"' EXIT
read_inputs
find_program
find_earlier_run
rm -f "$RESULTS/outputs.env" "$RESULTS/run.json"
status=0
"$PROGRAM" "${ARGUMENTS[@]}" || status=$?
publish_outputs
compare_with_earlier_run
decide "$status"
