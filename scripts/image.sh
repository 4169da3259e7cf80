#!/usr/bin/env bash
# Builds an OCI image of mock_server: an archive for docker load, podman load and skopeo, with a bill of
# materials beside it. Prints the image's digest and the archive. The same input gives the same digest.
#   image.sh [--output FOLDER] [--build FOLDER]
# --output: where the files go (default: dist). --build: a folder of a build that has mock_server, for
# instance of another architecture (default: builds the preset release).
# shellcheck source=scripts/lib/common.sh
. "$(dirname "${BASH_SOURCE[0]}")/lib/common.sh"
# shellcheck source=scripts/image/rootfs.sh
. "$ROOT/scripts/image/rootfs.sh"
# shellcheck source=scripts/image/materials.sh
. "$ROOT/scripts/image/materials.sh"
# shellcheck source=scripts/image/archive.sh
. "$ROOT/scripts/image/archive.sh"

# A failure inside $(...) ends the script, too.
shopt -s inherit_errexit

readonly IMAGE_NAME=counterpart/mock_server

# The time of the commit, for reproducible output; 1970 without git.
source_date() {
  printf '%s\n' "${SOURCE_DATE_EPOCH:-$(git -C "$ROOT" log -1 --format=%ct 2>/dev/null || echo 0)}"
}

main() {
  local output="$ROOT/dist" build="" version architecture work name digest
  while [ $# -gt 0 ]; do
    case $1 in
      --output | --build)
        [ -n "${2:-}" ] || usage "$1 needs a folder"
        if [ "$1" = --build ]; then build=$2; else output=$2; fi
        shift 2
        ;;
      --help | -h) usage ;;
      *) usage "unknown argument $1" ;;
    esac
  done
  ensure_packages build
  if [ -z "$build" ]; then
    build="$ROOT/build/release"
    build_preset release mock_server
  fi
  [ -x "$build/mock_server/mock_server" ] || die 2 "$build has no mock_server/mock_server; build it first"
  SOURCE_DATE_EPOCH=$(source_date)
  [[ $SOURCE_DATE_EPOCH =~ ^[0-9]+$ ]] || die 2 "SOURCE_DATE_EPOCH must be seconds since 1970, but is \"$SOURCE_DATE_EPOCH\""
  # Nothing of the caller's surroundings reaches the image.
  export SOURCE_DATE_EPOCH LC_ALL=C TZ=UTC0
  umask 022

  version=$(sed -n 's/^CMAKE_PROJECT_VERSION:STATIC=//p' "$build/CMakeCache.txt")
  architecture=$(architecture_of "$build/mock_server/mock_server")
  work=$(mktemp -d)
  # shellcheck disable=SC2064  # the folder of now
  trap "rm -rf '$work'" EXIT
  name=mock_server-$version-$architecture
  make_rootfs "$build" "$work"
  write_materials "$work" "$version" "$build"
  digest=$(write_archive "$work" "$version" "$architecture")
  mkdir -p "$output"
  cp "$work/image.tar" "$output/$name.oci.tar"
  cp "$work/rootfs/$MATERIALS" "$output/$name.cdx.json"
  say "$IMAGE_NAME:$version for $architecture: $(du -sb "$work/rootfs" | awk '{printf "%.1f", $1 / 1e6}') MB," \
    "the archive has $(stat -c %s "$work/image.tar" | awk '{printf "%.1f", $1 / 1e6}') MB"
  say "Load it: docker load -i $output/$name.oci.tar (podman load too)"
  printf '%s %s\n' "$digest" "$output/$name.oci.tar"
}

main "$@"
