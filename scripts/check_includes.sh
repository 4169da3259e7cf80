#!/usr/bin/env bash
# Checks every #include against scripts/lint/arrows.txt, which says which folder may include which, and
# the headers that only certain folders may use.
# shellcheck source=scripts/lib/common.sh
. "$(dirname "${BASH_SOURCE[0]}")/lib/common.sh"

cd "$ROOT"
while read -r folder; do
  [ -d "$folder" ] || die 1 "scripts/lint/arrows.txt: there is no folder $folder"
done < <(sed -n 's/^\([a-z_][^:]*\):.*/\1/p' scripts/lint/arrows.txt)
repository_files '*.cpp' '*.hpp' |
  xargs -0 awk -f scripts/lint/includes.awk scripts/lint/arrows.txt
