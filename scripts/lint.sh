#!/usr/bin/env bash
# Every quick check that needs no test run: formatting, includes, headers that compile alone, shell
# scripts, the contract, the repository itself, and clang-tidy on what changed. With names, only those;
# --all has clang-tidy check every file, which takes a quarter of an hour:
#   scripts/lint.sh [--all] [format|shell|includes|repository|messages|words|contract|headers|tidy]...
# shellcheck source=scripts/lib/common.sh
. "$(dirname "${BASH_SOURCE[0]}")/lib/common.sh"
# shellcheck source=scripts/lib/packages.sh
. "$ROOT/scripts/lib/packages.sh"
# shellcheck source=scripts/lib/node.sh
. "$ROOT/scripts/lib/node.sh"
# shellcheck source=scripts/lib/build.sh
. "$ROOT/scripts/lib/build.sh"

readonly TIDY_MINUTES=10
readonly TIDY_MAX_FILES=100  # what two cores check in that time
TIDY_ALL=

lint_format() {
  repository_files '*.cpp' '*.hpp' | (cd "$ROOT" && xargs -0 clang-format --dry-run --Werror)
}

lint_shell() {
  repository_files '*.sh' '.ci/run' | (cd "$ROOT" && xargs -0 shellcheck --external-sources)
}

lint_includes() { "$ROOT/scripts/check_includes.sh"; }

# Every text that the programs can print is in scripts/lint/messages.txt.
lint_messages() { node "$ROOT/scripts/lint/texts.mjs"; }

# Words that have a plainer one (CONTRIBUTING.md, "The words").
lint_words() {
  node "$ROOT/scripts/lint/words.mjs"
  node --test "$ROOT/scripts/lint/words.test.mjs"
}

lint_repository() { "$ROOT/scripts/lint/repository.sh"; }

lint_contract() {
  "$ROOT/scripts/lint/contract.sh"
  "$ROOT/scripts/lint/schemas.sh"
}

# Each header compiles alone.
lint_headers() { build_preset dev all_verify_interface_header_sets; }

# What a branch changed since it left main, or the last commit of main itself; uncommitted changes too.
tidy_base() {
  local base main
  for main in main origin/main; do
    base=$(git -C "$ROOT" merge-base HEAD "$main" 2>/dev/null) || continue
    [ "$base" = "$(git -C "$ROOT" rev-parse HEAD)" ] || { printf '%s\n' "$base"; return; }
  done
  last_base
}

# What the last commit began from; the first commit changed everything.
last_base() {
  git -C "$ROOT" rev-parse --quiet --verify HEAD~ || git hash-object -t tree /dev/null
}

# changed_sources BASE: the sources that changed since, and those of the headers that did.
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
  local -a files=()
  if [ -z "$TIDY_ALL" ]; then
    mapfile -t files < <(changed_sources "$(tidy_base)")
    if [ "${#files[@]}" -gt "$TIDY_MAX_FILES" ]; then
      say "clang-tidy: ${#files[@]} sources changed, too many for here: scripts/lint.sh --all tidy." \
        "Those of the last commit are checked."
      mapfile -t files < <(changed_sources "$(last_base)")
    fi
    [ "${#files[@]}" -gt 0 ] || { say "clang-tidy: no source changed"; return; }
    files=(--minutes "$TIDY_MINUTES" "${files[@]}")
  fi
  (flock 9 && configure_preset dev) 9>"$ROOT/build/.dev.lock"
  node "$ROOT/scripts/lint/tidy.mjs" "$ROOT/build/dev" "${files[@]}"
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
  [ "${#wanted[@]}" -gt 0 ] || wanted=(format shell includes repository messages words contract headers tidy)
  for name in "${wanted[@]}"; do
    declare -F "lint_$name" >/dev/null || usage "no lint is called $name"
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
