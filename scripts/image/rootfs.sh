# shellcheck shell=bash
# The files of the image: the program, the libraries that it needs by its ELF header and theirs, files
# that it names by an absolute path, its data, and what says where all of that is from.

# architecture_of PROGRAM: prints Debian's name of the architecture that it is for.
architecture_of() {
  case $(readelf -h "$1" | sed -n 's/^ *Machine: *//p') in
    *X86-64) echo amd64 ;;
    AArch64) echo arm64 ;;
    *) die 2 "$1: only programs for x86-64 and AArch64 are known" ;;
  esac
}

# Debian's name of the library folder of an architecture.
triplet_of() {
  case $1 in
    amd64) echo x86_64-linux-gnu ;;
    arm64) echo aarch64-linux-gnu ;;
  esac
}

needs_of() { readelf -d "$1" | sed -n 's/.*(NEEDED).*\[\(.*\)\]$/\1/p'; }

loader_of() { readelf -l "$1" | sed -n 's/.*program interpreter: \(.*\)\]$/\1/p'; }

# library_path NAME TRIPLET: prints the path of a library.
library_path() {
  local folder
  for folder in "/usr/lib/$2" "/lib/$2"; do
    if [ -e "$folder/$1" ]; then
      printf '%s\n' "$folder/$1"
      return
    fi
  done
  die 2 "the library $1 is not in /usr/lib/$2 nor /lib/$2; install the package that has it"
}

# libraries_of PROGRAM TRIPLET: prints the paths of all libraries that the program loads, but for the
# loader itself, one per line.
libraries_of() {
  local loader name path need
  local -a left
  local -A seen=()
  loader=$(basename "$(loader_of "$1")")
  mapfile -t left < <(needs_of "$1")
  while [ "${#left[@]}" -gt 0 ]; do
    name=${left[0]}
    left=("${left[@]:1}")
    if [ "$name" = "$loader" ] || [ -n "${seen[$name]:-}" ]; then
      continue
    fi
    seen[$name]=1
    path=$(library_path "$name" "$2") || exit
    printf '%s\n' "$path"
    while read -r need; do left+=("$need"); done < <(needs_of "$path")
  done | sort
}

# Files outside the program's own data that it names by their paths, such as the font of the invoices.
files_named_in() {
  local path
  { grep -aoE '/usr/share/[[:alnum:]/._+-]+' "$1" || true; } | sort -u | while read -r path; do
    [ ! -f "$path" ] || printf '%s\n' "$path"
  done
}

# place FILE ROOTFS: copies a file of this machine to its place, in the real folder of its name.
place() {
  local folder
  folder=$(realpath "$(dirname "$1")")
  mkdir -p "$2$folder"
  cp -L "$1" "$2$folder/$(basename "$1")"
  chmod "$(if [ -x "$1" ]; then echo 755; else echo 644; fi)" "$2$folder/$(basename "$1")"
}

strip_tool() {
  local tool
  tool=$(sed -n 's/^CMAKE_STRIP:FILEPATH=//p' "$1/CMakeCache.txt")
  printf '%s\n' "${tool:-strip}"
}

copy_data() {
  local data="$1/usr/share/counterpart" file
  mkdir -p "$data/spec" "$data/mock_server" "$1/usr/share/doc/counterpart"
  cp "$ROOT"/spec/*.openapi.yaml "$data/spec/"
  cp "$ROOT/mock_server/mock_server.example.toml" "$data/mock_server/"
  cp "$ROOT/LICENSE" "$1/usr/share/doc/counterpart/copyright"
  (cd "$ROOT" && find fixtures -name '.*' -prune -o -type f -print0 | sort -z) |
    while IFS= read -r -d '' file; do
      install -D -m 644 "$ROOT/$file" "$data/$file"
    done
}

# For who looks into the container: names of the users, and of the system that the libraries are from.
copy_system_files() {
  local link
  mkdir -p "$1/etc" "$1/usr/lib"
  cp -L /etc/os-release "$1/etc/os-release"
  printf 'root:x:0:0:root:/:/sbin/nologin\nmock:x:65532:65532:mock:/:/sbin/nologin\n' >"$1/etc/passwd"
  printf 'root:x:0:\nmock:x:65532:\n' >"$1/etc/group"
  for link in lib lib64; do
    [ ! -d "$1/usr/$link" ] || [ ! -L "/$link" ] || ln -s "usr/$link" "$1/$link"
  done
}

# make_rootfs BUILD WORK: fills WORK/rootfs. WORK/from_packages lists the files of this machine that it
# has.
make_rootfs() {
  local program="$1/mock_server/mock_server" rootfs="$2/rootfs" triplet file
  mkdir -p "$rootfs/usr/bin"
  triplet=$(triplet_of "$(architecture_of "$program")")
  "$(strip_tool "$1")" -o "$rootfs/usr/bin/mock_server" "$program"
  chmod 755 "$rootfs/usr/bin/mock_server"
  {
    loader_of "$program"
    libraries_of "$program" "$triplet"
    files_named_in "$program"
  } >"$2/from_packages"
  while read -r file; do place "$file" "$rootfs"; done <"$2/from_packages"
  copy_data "$rootfs"
  copy_system_files "$rootfs"
}
