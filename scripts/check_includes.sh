#!/usr/bin/env bash
# Checks every #include against scripts/lint/arrows.txt, which says which folder may include which, and
# the headers that only certain folders may use.
# shellcheck source=scripts/lib/common.sh
. "$(dirname "${BASH_SOURCE[0]}")/lib/common.sh"

cd "$ROOT"
repository_files '*.cpp' '*.hpp' |
  xargs -0 awk -f scripts/lint/includes.awk scripts/lint/arrows.txt
