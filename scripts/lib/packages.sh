# shellcheck shell=bash
# Finds missing Debian packages and installs them. Uses the network only if one is missing.

# packages_of SECTION...: prints the packages of these sections of scripts/packages.txt, one per line.
packages_of() {
  local section
  for section in "$@"; do
    sed -n "s/^$section //p" "$ROOT/scripts/packages.txt"
  done
}

# missing_packages PACKAGE...: prints those that are not installed, one per line.
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

# Prints the system and its version, "debian 12".
system_name() {
  (
    # shellcheck source=/dev/null
    . /etc/os-release 2>/dev/null && printf '%s %s\n' "${ID:-}" "${VERSION_ID:-}"
  )
}

# Systems whose packages have the names of scripts/packages.txt.
has_these_packages() {
  case $(system_name) in
    "debian 12" | "debian 13" | "ubuntu 24.04") ;;
    *) return 1 ;;
  esac
}

# unavailable_packages PACKAGE...: prints those that apt knows no version of, one per line.
unavailable_packages() {
  comm -23 <(printf '%s\n' "$@" | sort -u) <(apt-cache policy "$@" 2>/dev/null |
    awk '/^[^ ]/ { name = substr($1, 1, length($1) - 1) } $1 == "Candidate:" && $2 != "(none)" { print name }' | sort -u)
}

# The prefix of commands that need root: prints nothing for root, "sudo" if it can be used; else fails.
root_prefix() {
  if [ "$(id -u)" -eq 0 ]; then
    return
  fi
  command -v sudo >/dev/null || return 1
  # Without a terminal, sudo can only be used if it asks for no password.
  if [ -t 0 ] || sudo -n true 2>/dev/null; then
    echo sudo
  else
    return 1
  fi
}

# install_packages PACKAGE...: prints and installs them, or ends the script with the list.
install_packages() {
  local list="$*" prefix unavailable
  if ! has_these_packages; then
    say "Counterpart builds on Debian 12, Debian 13 and Ubuntu 24.04, but this is another system, where these" \
      "packages are missing:"
    say "  $list"
    say "Remedy: use a Debian 12 container (docker run -it -v \"\$PWD\":/src -w /src debian:12)," \
      "or install the equivalent packages and set COUNTERPART_SKIP_PACKAGES=1."
    exit 2
  fi
  if ! prefix=$(root_prefix); then
    say "These Debian packages are missing, and only root can install them:"
    say "  $list"
    say "Remedy: as root, apt-get update && apt-get install -y --no-install-recommends $list"
    exit 2
  fi
  say "Installing with apt-get: $list"
  # shellcheck disable=SC2086  # an empty prefix must vanish
  $prefix env DEBIAN_FRONTEND=noninteractive apt-get update -qq >&2 || die 2 "apt-get update failed (see above)"
  unavailable=$(unavailable_packages "$@" | tr '\n' ' ')
  [ -z "$unavailable" ] || die 2 "$(system_name) has no package ${unavailable% }; on Debian 12 there is:" \
    "docker run -it -v \"\$PWD\":/src -w /src debian:12"
  # shellcheck disable=SC2086
  $prefix env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "$@" >&2 ||
    die 2 "apt-get cannot install: $list (see above)"
}

# ensure_packages SECTION...: installs the packages of these sections that are missing.
ensure_packages() {
  local -a wanted missing
  [ -z "${COUNTERPART_SKIP_PACKAGES:-}" ] || return 0
  mapfile -t wanted < <(packages_of "$@")
  mapfile -t missing < <(missing_packages "${wanted[@]}")
  if [ "${#missing[@]}" -gt 0 ]; then
    install_packages "${missing[@]}"
  fi
}
