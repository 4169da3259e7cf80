#!/usr/bin/env bash
# Runs release.sh in a small repository, where tests and packages are fakes, with a fake of gh.
# shellcheck source=scripts/lib/common.sh
. "$(dirname "${BASH_SOURCE[0]}")/../lib/common.sh"

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failed=0

# A repository whose commit is the tag v1.2.3, in $work/NAME.
new_repository() {
  local folder="$work/$1"
  mkdir -p "$folder/scripts"
  cp -r "$ROOT/scripts/lib" "$ROOT/scripts/release.sh" "$ROOT/scripts/install.sh" "$folder/scripts"
  echo 'project(counterpart VERSION 1.2.3)' >"$folder/CMakeLists.txt"
  printf '## [1.2.3] - 2026-11-29\n\nOf this one.\n\n## [1.2.2] - 2026-01-01\n\nOf that one.\n' >"$folder/CHANGELOG.md"
  # shellcheck disable=SC2016  # for the scripts that are written
  {
    printf '#!/bin/sh\necho tested >&2\n' >"$folder/scripts/test.sh"
    printf '#!/bin/sh\nmkdir "$4" && cd "$4" && echo "$1 $2" >counterpart.tar.gz && sha256sum counterpart.tar.gz >SHA256SUMS\n' >"$folder/scripts/package.sh"
    printf '#!/bin/sh\necho "$GH_TOKEN $*"; cat\n' >"$work/gh"
  }
  chmod +x "$folder"/scripts/*.sh "$work/gh"
  echo /dist >"$folder/.gitignore"
  git -C "$folder" init -q
  git -C "$folder" add .
  git -C "$folder" -c user.name=a -c user.email=a@site.example commit -qm first
  git -C "$folder" tag v1.2.3
}

# demand STATUS TEXT NAME ARGUMENT...: release.sh of the repository must end with STATUS and print TEXT.
demand() {
  local wanted=$1 text=$2 name=$3 status=0
  shift 3
  GITHUB_REPOSITORY=owner/shop GH_TOKEN=of_this_job PATH="$work:$PATH" \
    "$work/$name/scripts/release.sh" "$@" >"$work/said" 2>&1 </dev/null || status=$?
  if [ "$status" -ne "$wanted" ] || ! grep -qF -- "$text" "$work/said"; then
    say "FAILED: $name: must end with $wanted and print \"$text\", but ended with $status and printed: $(cat "$work/said")"
    failed=$((failed + 1))
  fi
}

new_repository whole
demand 2 'name the tag, for example v0.1.0, but not ""' whole
demand 2 'the tag v1.2.4 is not what is checked out; git checkout v1.2.4' whole v1.2.4
demand 0 'nothing was uploaded' whole v1.2.3
grep -qF 'DOWNLOADS="https://github.com/owner/shop/releases/download/v1.2.3"' "$work/whole/dist/install.sh"
grep -q ' install.sh$' "$work/whole/dist/SHA256SUMS"
grep -qx -- '--arch all' "$work/whole/dist/counterpart.tar.gz"
demand 2 'dist/ is there already' whole v1.2.3
rm -r "$work/whole/dist"
demand 0 'of_this_job release create v1.2.3 --verify-tag --title Counterpart 1.2.3 --notes-file - -- SHA256SUMS counterpart.tar.gz install.sh' \
  whole --upload v1.2.3
if ! grep -qx 'Of this one.' "$work/said" || grep -q 'Of that one' "$work/said"; then
  say "FAILED: the notes are not those of the version: $(cat "$work/said")"
  failed=$((failed + 1))
fi

new_repository changed
echo >>"$work/changed/CHANGELOG.md"
demand 2 'there are changes that are not in the tag' changed v1.2.3

new_repository unreleased
sed -i 's/ - 2026-11-29/ - unreleased/' "$work/unreleased/CHANGELOG.md"
git -C "$work/unreleased" -c user.name=a -c user.email=a@site.example commit -qam second
demand 2 'the tag v1.2.3 is not what is checked out' unreleased v1.2.3
git -C "$work/unreleased" tag -f v1.2.3 >/dev/null
demand 2 'CHANGELOG.md has no day for 1.2.3' unreleased v1.2.3
[ "$failed" -eq 0 ]
