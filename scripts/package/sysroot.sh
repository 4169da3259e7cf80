# shellcheck shell=bash
# Packages of arm64, unpacked into a folder to compile with: nothing foreign is installed.

# Options for apt-get: another architecture, with lists, cache and state of its own below a folder.
apt_options() {
  printf '%s\n' -o "APT::Architecture=arm64" -o "APT::Architectures=arm64" -o "APT::Sandbox::User=" \
    -o "Dir::State=$1/state" -o "Dir::State::status=$1/status" -o "Dir::Cache=$1/cache" \
    -o "Dir::Etc::SourceList=$1/debian.sources" -o "Dir::Etc::SourceParts=/dev/null" -o "Debug::NoLocking=1"
}

# make_sysroot FOLDER: downloads and unpacks the packages of the section build, but for tools; keeps them for the
# next time. Fails if they cannot be had.
make_sysroot() {
  local apt="$1/apt" file
  local -a options packages
  [ ! -f "$1/complete" ] || return 0
  mkdir -p "$apt/state/lists/partial" "$apt/cache/archives/partial" "$1/var/lib/dpkg/info"
  : >"$apt/status"
  for file in /etc/apt/sources.list.d/debian.sources /etc/apt/sources.list; do
    [ ! -f "$file" ] || { sed '/^# /d' "$file" >"$apt/debian.sources" && break; }
  done
  mapfile -t options < <(apt_options "$apt")
  mapfile -t packages < <(packages_of build | grep -vxE 'g\+\+|cmake|ninja-build|ccache|pkg-config')
  apt-get "${options[@]}" update -qq >&2 || return 1
  apt-get "${options[@]}" install -y -qq --download-only --no-install-recommends libc6-dev libstdc++-12-dev \
    "${packages[@]}" >&2 || return 1
  for file in "$apt"/cache/archives/*.deb; do
    dpkg-deb -x "$file" "$1"
    note_package "$file" "$1/var/lib/dpkg"
  done
  printf '1\n' >"$1/var/lib/dpkg/info/format"
  : >"$1/complete"
}

# note_package DEB DATABASE: what dpkg would note of an installed package.
note_package() {
  local name
  name=$(dpkg-deb -f "$1" Package)
  [ "$(dpkg-deb -f "$1" Multi-Arch)" != same ] || name+=:arm64
  { dpkg-deb -f "$1" && printf 'Status: install ok installed\n\n'; } >>"$2/status"
  dpkg-deb --fsys-tarfile "$1" | tar -t | sed 's|^\.||; s|/$||; s|^$|/.|' >"$2/info/$name.list"
}
