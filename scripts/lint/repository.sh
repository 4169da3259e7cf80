#!/usr/bin/env bash
# Checks files: sizes, banned texts and calls, npm packages, paths in the pages.
# shellcheck source=scripts/lib/common.sh
. "$(dirname "${BASH_SOURCE[0]}")/../lib/common.sh"
cd "$ROOT"

readonly MAX_LINES=500
violations=0

report() {
  printf '%s\n' "$*"
  violations=$((violations + 1))
}

check_sizes() {
  local lines file
  while read -r lines file; do
    [ "$lines" -le "$MAX_LINES" ] || report "$file: must have at most $MAX_LINES lines, but has $lines"
  done < <(repository_files '*.cpp' '*.hpp' '*.sh' '*.mjs' '*.js' '*.cmake' '*CMakeLists.txt' |
    xargs -0 wc -l | grep -v ' total$')
}

# Paths of the author's machine (but for those by which leaks are found), hosts of package registries,
# and notes like TODO.
check_words() {
  local hit
  local -a words=(
    '(^|[^[:alnum:]_.])/(root/|home/|work/(main|wt-|shared|team))'
    'registry\.(npmjs|yarnpkg)|deb\.debian\.org|snapshot\.debian'
    '\b(TODO|FIXME|XXX|HACK)\b'
    'work[- ]?tree|as an AI|language model'
  )
  while read -r hit; do
    report "$hit"
  done < <(repository_files | xargs -0 grep -nIE "$(
    IFS='|'
    echo "${words[*]}"
  )" -- | grep -vE '^(scripts/lint/repository\.sh|contract_tests/rules/leaks\.yaml):' | cut -c1-200)
}

# "resolved" in a lock file makes npm use the registry of whoever wrote the file.
check_npm_packages() {
  local file folder
  while IFS= read -r -d '' file; do
    folder=$(dirname "$file")
    [ -f "$folder/.npmrc" ] || report "$file: needs an .npmrc beside it"
    [ -f "$folder/package-lock.json" ] || grep -q '^package-lock=false$' "$folder/.npmrc" ||
      report "$file: needs a package-lock.json beside it, or package-lock=false in .npmrc and exact versions"
    [ "$folder" != . ] || report "$file: must be in the folder that uses the packages, not at the top"
  done < <(repository_files '*package.json')
  while IFS= read -r -d '' file; do
    ! grep -q '"resolved"' "$file" || report "$file: must not contain \"resolved\"; remove those lines"
  done < <(repository_files '*package-lock.json')
}

# Calls of nlohmann_json that are false for exact numbers (spec/json/README.md). `node.is_number()` and
# `summary.is_number()` are our own.
check_numbers() {
  local hit
  while read -r hit; do
    report "$hit: must call the functions of spec/json/number.hpp"
  done < <(repository_files '*.cpp' '*.hpp' |
    xargs -0 grep -nE 'is_number_(integer|float|unsigned)\(|(->|\]\.)is_number\(' -- |
    grep -v '^spec/json/' | cut -c1-200)
}

check_sizes
check_words
check_numbers
check_npm_packages
node scripts/lint/pages.mjs || violations=$((violations + 1))
node --test scripts/lint/pages.test.mjs || violations=$((violations + 1))
[ "$violations" -eq 0 ]
