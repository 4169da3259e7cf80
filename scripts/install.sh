#!/bin/sh
# Installs mock_server and contract_tests below ~/.local, for one user: on any Linux, without root and without a
# compiler. An older version is replaced when the new one is whole.
#   install.sh [--from URL|FOLDER] [--prefix FOLDER]
# --from: where SHA256SUMS and the archives are (default: COUNTERPART_DOWNLOADS, else the release of this script);
# scripts/package.sh writes them into dist/. --prefix: instead of ~/.local.
# To remove it: rm -r ~/.local/lib/counterpart ~/.local/bin/mock_server ~/.local/bin/contract_tests
set -eu

DOWNLOADS=""  # a release names its own address here

# fail MESSAGE [STATUS]
fail() {
  printf 'install.sh: %s\n' "$(printf %s "$1" | tr '\n' ' ')" >&2
  exit "${2:-1}"
}

architecture() {
  [ "$(uname -s)" = Linux ] || fail "there are programs for Linux alone, and this is $(uname -s); use a container, or WSL on Windows"
  case $(uname -m) in
    x86_64 | amd64) echo x64 ;;
    aarch64 | arm64) echo arm64 ;;
    *) fail "there are programs for x86_64 and aarch64, and this is $(uname -m); build it from the source" ;;
  esac
}

# fetch NAME: gets a file of the release into the folder WORK.
fetch() {
  case $FROM in
    http://* | https://*)
      if command -v curl >/dev/null; then
        set -- "$1" curl -fsSL -o "$WORK/$1" "$FROM/$1"
      elif command -v wget >/dev/null; then
        set -- "$1" wget -q -O "$WORK/$1" "$FROM/$1"
      else
        fail "curl or wget is needed to download; install one of them"
      fi
      ;;
    *) set -- "$1" cp "$FROM/$1" "$WORK/$1" ;;
  esac
  name=$1
  shift
  why=$("$@" 2>&1) || fail "cannot get $FROM/$name (${why:-$1 failed}); name the folder of a release with --from"
}

# Sets ARCHIVE to the name of the newest archive for this machine, checked and in WORK.
get_archive() {
  fetch SHA256SUMS
  line=$(grep -E "^[0-9a-f]{64} [ *]counterpart-[^ /]*-linux-$1\.tar\.gz\$" "$WORK/SHA256SUMS" | tail -n 1) || true
  [ -n "$line" ] || fail "$FROM/SHA256SUMS names no archive for linux-$1; name the folder of a release with --from"
  ARCHIVE=${line#* ?}
  fetch "$ARCHIVE"
  sum=$(sha256sum "$WORK/$ARCHIVE") || fail "sha256sum is needed to check what was downloaded; install coreutils"
  [ "${sum%% *}" = "${line%% *}" ] ||
    fail "$ARCHIVE is not what SHA256SUMS says, perhaps cut: nothing was installed; download it again"
}

# unpack NAME: sets VERSION to what the unpacked program prints.
unpack() {
  why=$(tar -xzf "$WORK/$ARCHIVE" -C "$WORK" 2>&1) || fail "cannot unpack $ARCHIVE ($why); nothing was installed"
  VERSION=$("$WORK/$1/bin/mock_server" --version 2>&1) ||
    fail "programs do not run in $PREFIX ($VERSION); name a folder where they may with --prefix (no \"noexec\")"
}

# put_in_place NAME: links the programs to what was unpacked, each at once, and removes what was there before.
put_in_place() {
  target=$HOUSE/$1.${WORK##*.}
  mv "$WORK/$1" "$target"
  for program in mock_server contract_tests; do
    ln -s "../lib/counterpart/${target##*/}/bin/$program" "$WORK/$program"
    mv -f "$WORK/$program" "$PREFIX/bin/$program"
  done
  for old in "$HOUSE"/*; do
    [ "$old" = "$target" ] || rm -rf "$old"
  done
}

main() {
  FROM=${COUNTERPART_DOWNLOADS:-$DOWNLOADS}
  PREFIX=${HOME:-}/.local
  while [ $# -gt 0 ]; do
    case $1 in
      --help | -h)
        sed -n '2,/^set/s/^# \{0,1\}//p' "$0"
        exit
        ;;
      --from | --prefix) [ -n "${2:-}" ] || fail "$1 needs a value" 2 ;;
      *) fail "unknown argument $1; use: install.sh [--from URL|FOLDER] [--prefix FOLDER]" 2 ;;
    esac
    if [ "$1" = --from ]; then FROM=${2%/}; else PREFIX=$2; fi
    shift 2
  done
  [ -n "$FROM" ] || fail "no release has been published yet: make one with scripts/package.sh and name its folder with --from dist"
  machine=$(architecture)
  umask 022
  [ "$PREFIX" != /.local ] || fail "HOME is not set; name a folder with --prefix"
  why=$({ mkdir -p "$PREFIX/lib/counterpart" && mkdir -p "$PREFIX/bin"; } 2>&1) ||
    fail "cannot write into $PREFIX ($why); name another folder with --prefix"
  PREFIX=$(cd "$PREFIX" && pwd)
  HOUSE=$PREFIX/lib/counterpart
  for program in mock_server contract_tests; do
    case $(readlink "$PREFIX/bin/$program" || ls -d "$PREFIX/bin/$program" 2>/dev/null || true) in
      "" | ../lib/counterpart/*) ;;
      *) fail "$PREFIX/bin/$program is there and not from this script; remove it, or name another folder with --prefix" ;;
    esac
  done
  WORK=$(mktemp -d "$HOUSE/.new.XXXXXX" 2>&1) || fail "cannot write into $PREFIX ($WORK); name another folder with --prefix"
  trap 'rm -rf "$WORK"' EXIT
  trap 'exit 1' HUP INT TERM
  get_archive "$machine"
  unpack "${ARCHIVE%.tar.gz}"
  put_in_place "${ARCHIVE%.tar.gz}"
  echo "installed $VERSION and contract_tests in $PREFIX/bin; try: mock_server openapi.yaml"
  case :$PATH: in
    *:"$PREFIX/bin":*) ;;
    *) echo "put it on the PATH: export PATH=\"$PREFIX/bin:\$PATH\"" ;;
  esac
}

# At the end, so that a script that was cut on its way does nothing.
main "$@"
