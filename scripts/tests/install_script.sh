#!/usr/bin/env bash
# Tests install.sh with small archives, from a folder and from a server beside the test.
# shellcheck source=scripts/lib/common.sh
. "$(dirname "${BASH_SOURCE[0]}")/../lib/common.sh"

ensure_node
exec node --test "$ROOT/scripts/tests/install_script.test.mjs"
