#!/usr/bin/env bash
# Runs the suite against services of another make. COUNTERPART_CONTRACT_TESTS
# and COUNTERPART_MOCK_SERVER name the programs, else they are the released build's.
# shellcheck source=scripts/lib/common.sh
. "$(dirname "${BASH_SOURCE[0]}")/../../../scripts/lib/common.sh"

folder="$ROOT/contract_tests/tests/records_service"
ensure_node
cd "$folder"
exec node --test crud.test.mjs causes.test.mjs mishaps.test.mjs lists.test.mjs pages.test.mjs shapes.test.mjs mock.test.mjs credentials.test.mjs events.test.mjs harm.test.mjs unusual.test.mjs gate.test.mjs \
  library.test.mjs items.test.mjs
