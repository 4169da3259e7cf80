# shellcheck shell=bash
# Debian packages: which are missing, and installing them. Nothing is asked of a package server
# when none is missing.

# The packages of the given sections of scripts/packages.txt, one a line.
packages_of() {
  local section
  for section in "$@"; do
    sed -n "s/^$section //p" "$ROOT/scripts/packages.txt"
  done
}

# Those of the given packages that are not installed, one a line.
missing_packages() {
  local installed
  if ! command -v dpkg-query >/dev/null; then
    printf '%s\n' "$@"
    return
  fi
  installed=$(dpkg-query -W -f '${db:Status-Status} ${Package}\n' "$@" 2>/dev/null |
    sed -n 's/^installed //p' || true)
  comm -23 <(printf '%s\n' "$@" | sort -u) <(printf '%s\n' "$installed" | sort -u)
}

is_debian_12() {
  (
    # shellcheck source=/dev/null
    . /etc/os-release 2>/dev/null && [ "${ID:-}" = debian ] && [ "${VERSION_ID:-}" = 12 ]
  )
}

# How to become root: prints "" for root, "sudo" where it may be used; fails where neither is so.
root_prefix() {
  if [ "$(id -u)" -eq 0 ]; then
    return
  fi
  command -v sudo >/dev/null || return 1
  # Without a terminal, sudo may only be used if it asks nothing.
  if [ -t 0 ] || sudo -n true 2>/dev/null; then
    echo sudo
  else
    return 1
  fi
}

# install_packages PACKAGE...: says what it installs and does it, or stops with the list.
install_packages() {
  local list="$*" prefix
  if ! is_debian_12; then
    say "Counterpart builds on Debian 12; this is another system, and these packages are missing:"
    say "  $list"
    say "Remedy: run it in a Debian 12 container (docker run -it -v \"\$PWD\":/src -w /src debian:12)," \
      "or install what corresponds to them and set COUNTERPART_SKIP_PACKAGES=1."
    exit 2
  fi
  if ! prefix=$(root_prefix); then
    say "These Debian packages are missing, and only root may install them:"
    say "  $list"
    say "Remedy: as root, apt-get update && apt-get install -y --no-install-recommends $list"
    exit 2
  fi
  say "Installing with apt-get: $list"
  # shellcheck disable=SC2086  # an empty prefix must vanish
  if ! { $prefix env DEBIAN_FRONTEND=noninteractive apt-get update -qq &&
    $prefix env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "$@"; } >&2; then
    die 2 "apt-get could not install: $list"
  fi
}

# ensure_packages SECTION...: makes sure that every package of these sections is installed.
ensure_packages() {
  local -a wanted missing
  [ -z "${COUNTERPART_SKIP_PACKAGES:-}" ] || return 0
  mapfile -t wanted < <(packages_of "$@")
  mapfile -t missing < <(missing_packages "${wanted[@]}")
  if [ "${#missing[@]}" -gt 0 ]; then
    install_packages "${missing[@]}"
  fi
}
