#!/usr/bin/env bash
# Every quick check that needs no test run: formatting, includes, headers that compile alone, shell
# scripts, the contract, the repository itself. With names, only those; clang-tidy takes a quarter of
# an hour and runs by name alone:
#   scripts/lint.sh [format|shell|includes|repository|contract|headers|tidy]...
# shellcheck source=scripts/lib/common.sh
. "$(dirname "${BASH_SOURCE[0]}")/lib/common.sh"
# shellcheck source=scripts/lib/packages.sh
. "$ROOT/scripts/lib/packages.sh"
# shellcheck source=scripts/lib/node.sh
. "$ROOT/scripts/lib/node.sh"
# shellcheck source=scripts/lib/build.sh
. "$ROOT/scripts/lib/build.sh"

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

# Each header compiles alone.
lint_headers() { build_preset dev all_verify_interface_header_sets; }

lint_tidy() {
  (flock 9 && configure_preset dev) 9>"$ROOT/build/.dev.lock"
  node "$ROOT/scripts/lint/tidy.mjs" "$ROOT/build/dev"
}

main() {
  local -a wanted=("$@")
  local name
  [ $# -gt 0 ] || wanted=(format shell includes repository contract headers)
  for name in "${wanted[@]}"; do
    declare -F "lint_$name" >/dev/null || die 2 "no lint is called $name"
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
