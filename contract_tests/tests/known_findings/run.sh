#!/usr/bin/env bash
# The baseline of known findings, with a service of our own. COUNTERPART_CONTRACT_TESTS names the program,
# else it is the released build's.
# shellcheck source=scripts/lib/common.sh
. "$(dirname "${BASH_SOURCE[0]}")/../../../scripts/lib/common.sh"

ensure_node
exec node --test "$ROOT/contract_tests/tests/known_findings/known_findings.test.mjs"
