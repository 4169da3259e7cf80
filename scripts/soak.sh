#!/usr/bin/env bash
# Serves honest and hostile clients together for a while, with reloads in between: no honest request
# may be lost, memory must stay within bounds, and the double must end well.
#   scripts/soak.sh [MINUTES | --seconds N]     10 minutes by default
# shellcheck source=scripts/lib/common.sh
. "$(dirname "${BASH_SOURCE[0]}")/lib/common.sh"
# shellcheck source=scripts/lib/packages.sh
. "$ROOT/scripts/lib/packages.sh"
# shellcheck source=scripts/lib/node.sh
. "$ROOT/scripts/lib/node.sh"
# shellcheck source=scripts/lib/build.sh
. "$ROOT/scripts/lib/build.sh"
# shellcheck source=scripts/tests/serving.sh
. "$ROOT/scripts/tests/serving.sh"

readonly MAX_RESIDENT_MB=60

case ${1:-} in
  --seconds) seconds=${2:?--seconds needs a number} ;;
  '') seconds=600 ;;
  *) seconds=$(($1 * 60)) ;;
esac

# COUNTERPART_SOAKED names another program to soak, say one built with a sanitizer, whose memory
# says nothing.
program=${COUNTERPART_SOAKED:-$ROOT/build/release/mock_server/mock_server}
ensure_packages build
ensure_node
[ -n "${COUNTERPART_SOAKED:-}" ] || build_preset release mock_server
ulimit -n "$(ulimit -Hn)"
serve "$ROOT/build/soak.log" "$program" --port 0 --quiet
say "soaking $SERVED_URL for $seconds s"
node "$ROOT/scripts/soak/soak.mjs" "$SERVED_URL" "$seconds" "$SERVED_PID" ||
  die 1 "honest requests were lost, or a reload was refused"
resident=$(awk '/^VmHWM:/ { print int($2 / 1024) }' "/proc/$SERVED_PID/status")
say "at most $resident MB were in use"
[ -n "${COUNTERPART_SOAKED:-}" ] || [ "$resident" -le "$MAX_RESIDENT_MB" ] ||
  die 1 "that is more than $MAX_RESIDENT_MB MB"
stop_serving
