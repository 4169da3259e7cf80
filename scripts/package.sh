#!/usr/bin/env bash
# Makes packages of both programs, with the libraries that they need, under dist/: an archive that runs on any Linux
# where it was unpacked, a Debian package, an npm package, an OCI image; checksums and the bill of materials. The same
# commit and the same versions of Debian's packages give the same bytes.
#   package.sh [--arch x64|arm64|all] [--only KIND,...] [--output FOLDER] [--build FOLDER]
# --arch: default: this machine's. arm64 on another machine is cross compiled, with packages that are downloaded
# and installed nowhere. --only: of archive, deb, npm, image. --output: default: dist. --build: a folder of a
# finished build of one architecture (default: builds the preset release, or build/arm64).
# shellcheck source=scripts/lib/common.sh
. "$(dirname "${BASH_SOURCE[0]}")/lib/common.sh"
for part in tree materials image deb sysroot npm; do
  # shellcheck source=/dev/null
  . "$ROOT/scripts/package/$part.sh"
done

# A failure inside $(...) ends the script, too.
shopt -s inherit_errexit

# The time of the commit, for reproducible output; 1970 without git.
source_date() {
  printf '%s\n' "${SOURCE_DATE_EPOCH:-$(git -C "$ROOT" log -1 --format=%ct 2>/dev/null || echo 0)}"
}

own_architecture() { case $(uname -m) in aarch64) echo arm64 ;; *) echo x64 ;; esac }

# build_for ARCH: builds both programs; sets BUILD, and SYSROOT where it is cross compiled.
build_for() {
  ensure_packages build
  BUILD="$ROOT/build/release"
  SYSROOT=""
  if [ "$1" = "$(own_architecture)" ]; then
    build_preset release mock_server contract_tests
    return
  fi
  ensure_packages package
  SYSROOT="$ROOT/build/sysroot-arm64"
  export COUNTERPART_SYSROOT=$SYSROOT
  make_sysroot "$SYSROOT" || die 2 "the packages of arm64 cannot be downloaded (see above)"
  BUILD="$ROOT/build/arm64"
  [ -f "$BUILD/build.ninja" ] ||
    cmake -S "$ROOT" -B "$BUILD" -G Ninja -DCMAKE_BUILD_TYPE=Release -DCMAKE_UNITY_BUILD=ON \
      -DCMAKE_UNITY_BUILD_BATCH_SIZE=80 -DCOUNTERPART_TESTS=OFF \
      "-DCMAKE_TOOLCHAIN_FILE=$ROOT/scripts/package/arm64.cmake" >"$ROOT/build/arm64.configure.log" 2>&1 ||
    die 2 "cmake failed: $(tail -20 "$ROOT/build/arm64.configure.log")"
  ninja -j "$(compilers)" -C "$BUILD" mock_server contract_tests >&2 || die 2 "the build for arm64 failed (see above)"
}

# package ARCH: makes the kinds of packages that were asked for.
package() {
  local architecture=$1 work="$SCRATCH/$1" name
  name=counterpart-$VERSION-linux-$architecture
  mkdir "$work"
  make_tree "$BUILD" "$work" "$VERSION"
  find "$work/tree" -exec touch -h -d "@$SOURCE_DATE_EPOCH" {} +
  if wants archive; then
    sorted_tar -C "$work" --transform "s|^tree|$name|" -cf - tree | gzip -n -9 >"$OUTPUT/$name.tar.gz"
    cp "$work/tree/$MATERIALS" "$OUTPUT/$name.cdx.json"
  fi
  ! wants deb || write_deb "$OUTPUT/counterpart_${VERSION}_$(debian_architecture "$architecture").deb" "$VERSION" "$work" "$architecture"
  ! wants npm || make_npm "$work/tree" "$VERSION" "$architecture" "$OUTPUT"
  ! wants image || write_image "$OUTPUT/$name.oci.tar" "$VERSION" "$work=$architecture"
}

wants() { [[ ,$KINDS, == *,$1,* ]]; }

check_kinds() {
  local kind
  for kind in ${KINDS//,/ }; do
    [[ " archive deb npm image " == *" $kind "* ]] || usage "--only must name archive, deb, npm, image, but has \"$kind\""
  done
}

main() {
  local given="" architecture
  local -a architectures
  OUTPUT="$ROOT/dist" KINDS=archive,deb,npm,image architectures=("$(own_architecture)")
  while [ $# -gt 0 ]; do
    case $1 in
      --help | -h) usage ;;
      --arch | --only | --output | --build) [ -n "${2:-}" ] || usage "$1 needs a value" ;;
      *) usage "unknown argument $1" ;;
    esac
    case $1:$2 in
      --arch:x64 | --arch:arm64) architectures=("$2") ;;
      --arch:all) architectures=(x64 arm64) ;;
      --arch:*) usage "--arch must be x64, arm64 or all, but is \"$2\"" ;;
      --only:*) KINDS=$2 ;;
      --output:*) OUTPUT=$2 ;;
      --build:*) given=$2 ;;
    esac
    shift 2
  done
  check_kinds
  [ -z "$given" ] || [ "${#architectures[@]}" -eq 1 ] || usage "--build is of one architecture"
  SOURCE_DATE_EPOCH=$(source_date)
  [[ $SOURCE_DATE_EPOCH =~ ^[0-9]+$ ]] || die 2 "SOURCE_DATE_EPOCH must be seconds since 1970, but is \"$SOURCE_DATE_EPOCH\""
  # Nothing of the caller's surroundings reaches the packages.
  export SOURCE_DATE_EPOCH LC_ALL=C TZ=UTC0
  umask 022
  SCRATCH=$(mktemp -d)
  # shellcheck disable=SC2064  # the folder of now
  trap "rm -rf '$SCRATCH'" EXIT
  mkdir -p "$OUTPUT"
  OUTPUT=$(cd "$OUTPUT" && pwd)
  for architecture in "${architectures[@]}"; do
    if [ -n "$given" ]; then BUILD=$given SYSROOT=${COUNTERPART_SYSROOT:-}; else build_for "$architecture"; fi
    [ -f "$BUILD/CMakeCache.txt" ] || die 2 "$BUILD is no folder of a build"
    VERSION=$(sed -n 's/^CMAKE_PROJECT_VERSION:STATIC=//p' "$BUILD/CMakeCache.txt")
    package "$architecture"
  done
  if wants image && [ "${#architectures[@]}" -gt 1 ]; then
    write_image "$OUTPUT/counterpart-$VERSION-linux.oci.tar" "$VERSION" "$SCRATCH/x64=x64" "$SCRATCH/arm64=arm64"
  fi
  (cd "$OUTPUT" && find . -maxdepth 1 -name 'counterpart*' -type f -printf '%f\n' | sort | xargs sha256sum >SHA256SUMS)
  (cd "$OUTPUT" && du -h --apparent-size counterpart* | awk '{print $1 "\t" $2}') >&2
  say "in $OUTPUT; an image is loaded with docker load -i FILE (podman load too)"
}

main "$@"
