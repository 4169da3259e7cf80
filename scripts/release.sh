#!/usr/bin/env bash
# Makes the release of a tag that is checked out: runs every test, makes the packages of both architectures in dist/,
# and install.sh with the release's address; the notes are the version's part of CHANGELOG.md.
#   release.sh [--upload] vVERSION
# --upload: makes the release on GitHub, with gh, which GH_TOKEN lets in. Without it nothing leaves this machine.
# COUNTERPART_DOWNLOADS: the address of its files (default: on GitHub, of GITHUB_REPOSITORY).
# shellcheck source=scripts/lib/common.sh
. "$(dirname "${BASH_SOURCE[0]}")/lib/common.sh"

# notes VERSION: prints the version's part of CHANGELOG.md.
notes() {
  awk -v head="## [$1] " 'index($0, "## [") == 1 { is_own = index($0, head) == 1; next } is_own' "$ROOT/CHANGELOG.md"
}

# check_tag TAG: the tag is the commit that is checked out, as it is, and the files agree with it.
check_tag() {
  local version=${1#v}
  [ "$(git -C "$ROOT" rev-parse --verify --quiet "refs/tags/$1^{commit}")" = "$(git -C "$ROOT" rev-parse HEAD)" ] ||
    die 2 "the tag $1 is not what is checked out; git checkout $1"
  [ -z "$(git -C "$ROOT" status --porcelain)" ] || die 2 "there are changes that are not in the tag; commit or stash them"
  grep -q "VERSION $version\b" "$ROOT/CMakeLists.txt" || die 2 "CMakeLists.txt has another version than $version"
  grep -q "^## \[$version\] - 20" "$ROOT/CHANGELOG.md" || die 2 "CHANGELOG.md has no day for $version: \"## [$version] - $(date +%F)\""
  [ ! -e "$ROOT/dist" ] || die 2 "dist/ is there already; remove it"
}

make_release() {
  local tag=$1 address
  address=${COUNTERPART_DOWNLOADS:-${GITHUB_REPOSITORY:+https://github.com/$GITHUB_REPOSITORY/releases/download/$tag}}
  "$ROOT/scripts/test.sh"
  "$ROOT/scripts/package.sh" --arch all --output "$ROOT/dist"
  sed "s|^DOWNLOADS=\"\".*|DOWNLOADS=\"$address\"|" "$ROOT/scripts/install.sh" >"$ROOT/dist/install.sh"
  (cd "$ROOT/dist" && sha256sum install.sh >>SHA256SUMS && sha256sum --check --quiet SHA256SUMS)
}

upload=no
[ "${1:-}" != --help ] || usage
if [ "${1:-}" = --upload ]; then
  upload=yes
  shift
fi
[[ $* =~ ^v[0-9]+\.[0-9]+\.[0-9]+$ ]] || usage "name the tag, for example v0.1.0, but not \"$*\""
check_tag "$1"
make_release "$1"
if [ "$upload" = yes ]; then
  notes "${1#v}" | (cd "$ROOT/dist" && gh release create "$1" --verify-tag --title "Counterpart ${1#v}" --notes-file - -- *)
else
  say "in dist/; nothing was uploaded. To do that: scripts/release.sh --upload $1; npm: npm publish dist/counterpart-mock-*.tgz"
fi
