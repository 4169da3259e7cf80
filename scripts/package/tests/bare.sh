#!/usr/bin/env bash
# Runs the archive of a build where nothing else is: in a root with busybox alone, in one with an odd nsswitch.conf,
# and in a Debian that has only the package; prints the seconds from the archive on disk to the first 200, and to the
# end of a run of the suite.
#   bare.sh BUILD_FOLDER
# shellcheck source=scripts/lib/common.sh
. "$(dirname "${BASH_SOURCE[0]}")/../../lib/common.sh"
# shellcheck source=scripts/tests/serving.sh
. "$ROOT/scripts/tests/serving.sh"
# shellcheck source=scripts/package/tests/operations.sh
. "$ROOT/scripts/package/tests/operations.sh"

[ "$(id -u)" -eq 0 ] || { say "skipped: only root can change the root"; exit 77; }
build=$(cd "$1" && pwd)
# In a mount namespace of its own, so that nothing stays mounted; the folder is removed from outside of it.
if [ -z "${COUNTERPART_BARE:-}" ]; then
  unshare --mount true 2>/dev/null || { say "skipped: no mount namespaces can be made"; exit 77; }
  command -v busybox >/dev/null || { say "skipped: the package busybox-static is not installed"; exit 77; }
  COUNTERPART_BARE=$(mktemp -d)
  export COUNTERPART_BARE
  trap 'rm -rf "$COUNTERPART_BARE"' EXIT
  unshare --mount --propagation private "$0" "$build"
  exit
fi
work=$COUNTERPART_BARE

seconds_since() { awk -v from="$1" -v to="$(date +%s.%N)" 'BEGIN { printf "%.1f", to - from }'; }

# use_in ROOT_FOLDER NAME FOLDER [COMMAND...]: unpacks by the command, then serves and tests in the root.
use_in() {
  local root=$1 name=$2 folder=$3 start served status=0
  shift 3
  start=$(date +%s.%N)
  "$@"
  serve "$work/log" chroot "$root" "$folder/bin/mock_server" --port 0
  curl -sf -H "$TOKEN" -o /dev/null "$SERVED_URL/customers/cus_L9xVQ2zg4mZaouqKLiMcV"
  served=$(seconds_since "$start")
  the_five "$SERVED_URL" || die 1 "$name: an operation failed"
  # A name, which the libraries of the archive must find by themselves.
  chroot "$root" "$folder/bin/mock_server" healthcheck "http://localhost:${SERVED_URL##*:}" ||
    die 1 "$name: localhost is not found"
  stop_serving
  chroot "$root" "$folder/bin/contract_tests" >"$work/suite" 2>&1 || status=$?
  [ "$status" -eq 0 ] || die 1 "$name: contract_tests ended with $status: $(tail -20 "$work/suite")"
  say "$name: first 200 after $served s, the suite after $(seconds_since "$start") s: $(tail -1 "$work/suite")"
  status=0
  chroot "$root" "$folder/bin/contract_tests" --base-url http://127.0.0.1:1 >/dev/null 2>&1 || status=$?
  [ "$status" -eq 2 ] || [ "$status" -eq 3 ] || die 1 "$name: a service that is away gives $status"
}

# devices FOLDER: /proc, /tmp and the devices that a program may expect.
devices() {
  local name
  mkdir -p "$1"/{proc,tmp,dev}
  mount --rbind /proc "$1/proc"
  for name in null urandom; do
    : >"$1/dev/$name"
    mount --bind "/dev/$name" "$1/dev/$name"
  done
}

# bare_root FOLDER: a root with busybox and nothing else.
bare_root() {
  mkdir -p "$1"/{bin,etc,opt}
  cp "$(command -v busybox)" "$1/bin/busybox"
  ln -s busybox "$1/bin/env"
  devices "$1"
}

"$ROOT/scripts/package.sh" --build "$build" --only archive,deb --output "$work/first" 2>"$work/log" ||
  die 1 "package.sh: $(cat "$work/log")"
(cd / && umask 077 && TZ=Asia/Tokyo "$ROOT/scripts/package.sh" --build "$build" --only archive,deb --output "$work/second" 2>/dev/null)
cmp "$work/first/SHA256SUMS" "$work/second/SHA256SUMS" || die 1 "two runs give different packages"
archive=$(echo "$work"/first/*.tar.gz)
size=$(stat -c %s "$archive")
[ "$size" -le 26214400 ] || die 1 "the archive has $size bytes"
say "the archive has $((size / 1048576)) MiB, and is the same when it is made again"
name=$(basename "$archive" .tar.gz)

bare_root "$work/bare"
use_in "$work/bare" "busybox alone" "/opt/$name" tar -xzf "$archive" -C "$work/bare/opt"

bare_root "$work/odd"
printf 'hosts: nosuch [NOTFOUND=return]\n' >"$work/odd/etc/nsswitch.conf"
use_in "$work/odd" "an odd nsswitch.conf" "/opt/$name" tar -xzf "$archive" -C "$work/odd/opt"

# `run` hands nothing of the archive on: what it starts uses the libraries of its own system.
chroot "$work/bare" "/opt/$name/bin/mock_server" run -- /bin/env >"$work/handed_on" 2>/dev/null
! grep -E '^(LD|GCONV)_|/opt/counterpart' "$work/handed_on" || die 1 "run hands something of the archive on"

# A command found by a link, as install.sh makes one.
ln -s "$work/bare/opt/$name/bin/mock_server" "$work/linked"
"$work/linked" --check >/dev/null || die 1 "a link to the program does not work"

# One line each for what is broken.
fails_with() {
  local pattern=$1 said status=0
  shift
  said=$("$@" 2>&1) || status=$?
  if [ "$status" -eq 0 ] || [ "$(printf '%s\n' "$said" | wc -l)" -ne 1 ] || [[ $said != *$pattern* ]]; then
    die 1 "must end with one line about \"$pattern\", but gave $status: $said"
  fi
}
broken="$work/broken/$name"
mkdir "$work/broken"
tar -xzf "$archive" -C "$work/broken"
chmod -x "$broken"/lib/counterpart/mock_server
fails_with "unpack the archive again" "$broken/bin/mock_server" --version
rm "$broken"/lib/counterpart/ld-linux-*
fails_with "unpack the archive again" "$broken/bin/contract_tests" --version
rm "$broken/lib/counterpart/mock_server"
fails_with "unpack the archive again" "$broken/bin/mock_server" --version

dpkg-deb -x "$work"/first/*.deb "$work/deb"
devices "$work/deb"
use_in "$work/deb" "the files of the .deb" /usr true
[ -z "$(dpkg-deb -f "$work"/first/*.deb Depends)" ] || die 1 "the .deb depends on packages"
