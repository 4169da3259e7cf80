# shellcheck shell=bash
# The files of an archive: programs and launchers, the libraries that the programs need by their ELF headers and
# the loader, data, font, licences and the bill of materials.

readonly FONT=/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf
# Where packages of another architecture were unpacked; empty for those of this machine.
SYSROOT=""

# architecture_of PROGRAM: prints x64 or arm64.
architecture_of() {
  case $(readelf -h "$1" | sed -n 's/^ *Machine: *//p') in
    *X86-64) echo x64 ;;
    AArch64) echo arm64 ;;
    *) die 2 "$1: only programs for x86-64 and AArch64 are known" ;;
  esac
}

# Debian's name of an architecture.
debian_architecture() { case $1 in x64) echo amd64 ;; *) echo "$1" ;; esac }

# Debian's name of the library folder of an architecture.
triplet_of() { case $1 in x64) echo x86_64-linux-gnu ;; arm64) echo aarch64-linux-gnu ;; esac }

needs_of() { readelf -d "$1" | sed -n 's/.*(NEEDED).*\[\(.*\)\]$/\1/p'; }

loader_of() { readelf -l "$1" | sed -n 's/.*program interpreter: \(.*\)\]$/\1/p'; }

# library_path NAME TRIPLET: prints the path of a library, without SYSROOT.
library_path() {
  local folder
  for folder in "/usr/lib/$2" "/lib/$2"; do
    if [ -e "$SYSROOT$folder/$1" ]; then
      printf '%s\n' "$folder/$1"
      return
    fi
  done
  die 2 "the library $1 is not in $SYSROOT/usr/lib/$2 nor $SYSROOT/lib/$2; install the package that has it"
}

# libraries_of TRIPLET PROGRAM...: prints the paths of all libraries that the programs load, but for the
# loader itself, one per line, without SYSROOT.
libraries_of() {
  local triplet=$1 loader name path need
  local -a left
  local -A seen=()
  shift
  loader=$(basename "$(loader_of "$1")")
  mapfile -t left < <(for path in "$@"; do needs_of "$path"; done)
  while [ "${#left[@]}" -gt 0 ]; do
    name=${left[0]}
    left=("${left[@]:1}")
    if [ "$name" = "$loader" ] || [ -n "${seen[$name]:-}" ]; then
      continue
    fi
    seen[$name]=1
    path=$(library_path "$name" "$triplet") || exit
    printf '%s\n' "$path"
    while read -r need; do left+=("$need"); done < <(needs_of "$SYSROOT$path")
  done | sort
}

# Copies a file of a package into the tree, and notes where it is from: "PATH PLACE".
place() {
  local mode=644
  [ ! -x "$SYSROOT$1" ] || mode=755
  install -D -m "$mode" "$(realpath "$SYSROOT$1")" "$3/tree/$2"
  printf '%s %s\n' "$1" "$2" >>"$3/from_packages"
}

# make_tree BUILD WORK VERSION: fills WORK/tree with what the archive has.
make_tree() {
  local build=$1 tree="$2/tree" triplet loader path program prefix
  local programs=("$1/mock_server/mock_server" "$1/contract_tests/contract_tests")
  for program in "${programs[@]}"; do
    [ -x "$program" ] || die 2 "$program is missing; build it first"
  done
  triplet=$(triplet_of "$(architecture_of "${programs[0]}")")
  loader=$(loader_of "${programs[0]}")
  # Tools for another architecture have Debian's prefix.
  prefix=$([ "$(architecture_of "${programs[0]}")" = "$(own_architecture)" ] || printf '%s-' "$triplet")
  cmake --install "$build" --prefix "$tree" >/dev/null
  for program in mock_server contract_tests; do
    mkdir -p "$tree/lib/counterpart"
    "${prefix}strip" -o "$tree/lib/counterpart/$program" "$tree/bin/$program"
    "${prefix}g++" -std=c++20 -O2 -static -s "-DLOADER=\"$(basename "$loader")\"" \
      "$ROOT/scripts/package/launcher.cpp" -o "$tree/bin/$program"
  done
  : >"$2/from_packages"
  place "$loader" "lib/counterpart/$(basename "$loader")" "$2"
  chmod 755 "$tree"/lib/counterpart/* "$tree"/bin/*
  libraries_of "$triplet" "${programs[@]}" >"$2/libraries"
  while read -r path; do place "$path" "lib/counterpart/$(basename "$path")" "$2"; done <"$2/libraries"
  # What iconv needs for the charsets of the web; the C library looks in one folder for them.
  for path in "$SYSROOT/usr/lib/$triplet"/gconv/{UTF-,ISO8859-,ISO-2022-,CP12,CP9,KOI8,EUC-,GB,BIG5,SJIS,UHC,TIS-,IBM866,MACINTOSH,lib}*.so; do
    place "${path#"$SYSROOT"}" "lib/counterpart/gconv/$(basename "$path")" "$2"
  done
  for path in gconv-modules gconv-modules.d/gconv-modules-extra.conf; do
    place "/usr/lib/$triplet/gconv/$path" "lib/counterpart/gconv/$path" "$2"
  done
  place "$FONT" share/counterpart/fonts/DejaVuSans.ttf "$2"
  mv "$tree/share/doc/counterpart/LICENSE" "$tree/share/doc/counterpart/copyright"
  write_materials "$2" "$3" "$build"
}
