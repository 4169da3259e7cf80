#!/usr/bin/env bash
# The baseline of known findings, with a service of our own. COUNTERPART_CONTRACT_TESTS names the program,
# else it is the released build's.
# shellcheck source=scripts/lib/common.sh
. "$(dirname "${BASH_SOURCE[0]}")/../../../scripts/lib/common.sh"
# shellcheck source=scripts/lib/packages.sh
. "$ROOT/scripts/lib/packages.sh"
# shellcheck source=scripts/lib/node.sh
. "$ROOT/scripts/lib/node.sh"

ensure_node
exec node --test "$ROOT/contract_tests/tests/known_findings/known_findings.test.mjs"
