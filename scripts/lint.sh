#!/usr/bin/env bash
# Runs the checks that need no tests:
#   scripts/lint.sh [--all] [format|shell|includes|repository|contract|headers|tidy]...
# Without a name, runs all of them. tidy runs clang-tidy on changed files, and on the others too where few of them
# are left to check (what passed is kept in ~/.cache/counterpart); with --all on every file. headers compiles each
# header alone; repository checks sizes, pages and npm packages.
# shellcheck source=scripts/lib/common.sh
. "$(dirname "${BASH_SOURCE[0]}")/lib/common.sh"

readonly TIDY_MAX_FILES=100  # two cores check these in ten minutes
TIDY_ALL=

lint_format() {
  repository_files '*.cpp' '*.hpp' | (cd "$ROOT" && xargs -0 clang-format --dry-run --Werror)
}

lint_shell() {
  repository_files '*.sh' '.ci/run' | (cd "$ROOT" && xargs -0 shellcheck --external-sources)
}

lint_includes() { "$ROOT/scripts/check_includes.sh"; }

lint_repository() { "$ROOT/scripts/lint/repository.sh"; }

lint_contract() {
  "$ROOT/scripts/lint/contract.sh"
  "$ROOT/scripts/lint/schemas.sh"
}

# Each header must compile alone.
lint_headers() { node "$ROOT/scripts/lint/headers.mjs"; }

# The commit to compare with: the merge base with main, or, on main, the commit before.
tidy_base() {
  local base main
  for main in main origin/main; do
    base=$(git -C "$ROOT" merge-base HEAD "$main" 2>/dev/null) || continue
    [ "$base" = "$(git -C "$ROOT" rev-parse HEAD)" ] || { printf '%s\n' "$base"; return; }
  done
  last_base
}

# The parent of the last commit; the empty tree for the first commit.
last_base() {
  git -C "$ROOT" rev-parse --quiet --verify HEAD~ || git hash-object -t tree /dev/null
}

# changed_sources BASE: the sources that changed since BASE, and the sources of changed headers.
changed_sources() {
  local file base=$1
  {
    git -C "$ROOT" diff --name-only --diff-filter=d "$base" -- '*.cpp' '*.hpp'
    git -C "$ROOT" ls-files --others --exclude-standard -- '*.cpp' '*.hpp'
  } | while read -r file; do
    file="$ROOT/${file%.*}.cpp"
    [ ! -f "$file" ] || printf '%s\n' "$file"
  done | sort -u
}

lint_tidy() {
  local -a changed=()
  if [ -z "$TIDY_ALL" ]; then
    mapfile -t changed < <(changed_sources "$(tidy_base)")
    if [ "${#changed[@]}" -gt "$TIDY_MAX_FILES" ]; then
      say "clang-tidy: ${#changed[@]} sources changed, more than $TIDY_MAX_FILES; checking those of the last" \
        "commit only. To check all: scripts/lint.sh --all tidy"
      mapfile -t changed < <(changed_sources "$(last_base)")
    fi
    changed=(--most "$TIDY_MAX_FILES" "${changed[@]}")
  fi
  (flock 9 && configure_preset dev) 9>"$ROOT/build/.dev.lock"
  node "$ROOT/scripts/lint/tidy.mjs" "$ROOT/build/dev" "${changed[@]}"
}

main() {
  local -a wanted=()
  local name
  for name in "$@"; do
    case $name in
      -h | --help) usage ;;
      --all) TIDY_ALL=yes ;;
      *) wanted+=("$name") ;;
    esac
  done
  [ "${#wanted[@]}" -gt 0 ] || wanted=(format shell includes repository contract headers tidy)
  for name in "${wanted[@]}"; do
    declare -F "lint_$name" >/dev/null || usage "unknown lint or flag: $name"
  done
  ensure_packages build test gate
  ensure_node
  mkdir -p "$ROOT/build"
  for name in "${wanted[@]}"; do
    stage "lint $name" "lint_$name"
  done
  stages_passed
}

main "$@"
