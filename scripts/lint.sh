#!/usr/bin/env bash
# Runs the checks that need no tests:
#   scripts/lint.sh [--all] [format|shell|includes|repository|messages|words|contract|headers|tidy]...
# Without a name, runs all of them. tidy runs clang-tidy on changed files, with --all on every file
# (15 minutes); headers compiles each changed header alone, with --all every header (8 minutes); repository checks sizes, pages and npm packages.
# shellcheck source=scripts/lib/common.sh
. "$(dirname "${BASH_SOURCE[0]}")/lib/common.sh"
# shellcheck source=scripts/lib/packages.sh
. "$ROOT/scripts/lib/packages.sh"
# shellcheck source=scripts/lib/node.sh
. "$ROOT/scripts/lib/node.sh"
# shellcheck source=scripts/lib/build.sh
. "$ROOT/scripts/lib/build.sh"

readonly TIDY_MINUTES=10
readonly TIDY_MAX_FILES=100  # two cores check these in that time
CHECK_ALL=

lint_format() {
  repository_files '*.cpp' '*.hpp' | (cd "$ROOT" && xargs -0 clang-format --dry-run --Werror)
}

lint_shell() {
  repository_files '*.sh' '.ci/run' | (cd "$ROOT" && xargs -0 shellcheck --external-sources)
}

lint_includes() { "$ROOT/scripts/check_includes.sh"; }

# scripts/lint/messages.txt must list every text that the programs can print.
lint_messages() { node "$ROOT/scripts/lint/texts.mjs"; }

# Banned words (CONTRIBUTING.md, "The words").
lint_words() {
  node "$ROOT/scripts/lint/words.mjs"
  node --test "$ROOT/scripts/lint/words.test.mjs"
}

lint_repository() { "$ROOT/scripts/lint/repository.sh"; }

lint_contract() {
  "$ROOT/scripts/lint/contract.sh"
  "$ROOT/scripts/lint/schemas.sh"
}

# Each header must compile alone. Whether it does rests on it and on what it includes: the others are known
# to, unless flags or libraries changed.
lint_headers() {
  local base
  local -a objects
  base=$(tidy_base)
  if [ -n "$CHECK_ALL" ] || ! git -C "$ROOT" diff --quiet "$base" -- CMakePresets.json scripts/cmake scripts/packages.txt; then
    build_preset dev all_verify_interface_header_sets
    return
  fi
  (flock 9 && configure_preset dev) 9>"$ROOT/build/.dev.lock"
  mapfile -t objects < <(header_objects "$base")
  say "headers: ${#objects[@]} changed or include one that did. To check all: scripts/lint.sh --all headers"
  [ "${#objects[@]}" -eq 0 ] || build_preset dev "${objects[@]}"
}

# header_objects BASE: the ninja targets that compile one header, of those that changed_headers prints.
header_objects() {
  local -r sets=_verify_interface_header_sets/
  ninja -C "$ROOT/build/dev" -t targets all | sed -n "s|\\($sets.*\\.cxx\\.o\\): .*|\\1|p" |
    grep -F -f <(changed_headers "$1" | sed "s|.*|$sets&.cxx.o|") || true
}

# changed_headers BASE: the headers that changed since BASE, and those that include one of them.
changed_headers() {
  local found wider
  found=$({
    git -C "$ROOT" diff --name-only --diff-filter=d "$1" -- '*.hpp'
    git -C "$ROOT" ls-files --others --exclude-standard -- '*.hpp'
  } | sort -u)
  while [ -n "$found" ]; do
    # shellcheck disable=SC2086  # no path has a space
    wider=$({
      printf '%s\n' "$found"
      git -C "$ROOT" grep -lF --untracked -f <(printf '#include "%s"\n' $found) -- '*.hpp' || true
    } | sort -u)
    [ "$wider" != "$found" ] || break
    found=$wider
  done
  [ -z "$found" ] || printf '%s\n' "$found"
}

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
  local -a files=()
  if [ -z "$CHECK_ALL" ]; then
    mapfile -t files < <(changed_sources "$(tidy_base)")
    if [ "${#files[@]}" -gt "$TIDY_MAX_FILES" ]; then
      say "clang-tidy: ${#files[@]} sources changed, more than $TIDY_MAX_FILES; checking those of the last" \
        "commit only. To check all: scripts/lint.sh --all tidy"
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
      --all) CHECK_ALL=yes ;;
      *) wanted+=("$name") ;;
    esac
  done
  [ "${#wanted[@]}" -gt 0 ] || wanted=(format shell includes repository messages words contract headers tidy)
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
