#!/usr/bin/env bash
# Checks who includes whom: the arrows between folders (scripts/lint/arrows.txt), and the headers
# that only certain folders may use.
# shellcheck source=scripts/lib/common.sh
. "$(dirname "${BASH_SOURCE[0]}")/lib/common.sh"

cd "$ROOT"
repository_files '*.cpp' '*.hpp' |
  xargs -0 awk -f scripts/lint/includes.awk scripts/lint/arrows.txt
