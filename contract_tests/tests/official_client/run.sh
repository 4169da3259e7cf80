#!/usr/bin/env bash
# Drives the service's official client over the mock; COUNTERPART_MOCK_SERVER names the program,
# else it is the released build's. Words name the tests to run: client, foreign, published,
# recording, run, sessions; without, all.
# shellcheck source=scripts/lib/common.sh
. "$(dirname "${BASH_SOURCE[0]}")/../../../scripts/lib/common.sh"

folder="$ROOT/contract_tests/tests/official_client"
ensure_node
npm_packages "$folder"
cd "$folder"
tests=("$@")
[ $# -gt 0 ] || tests=(client foreign published recording run sessions)
exec node --test "${tests[@]/%/.test.mjs}"
