#!/usr/bin/env bash
# Clicks through a report in headless Chromium; COUNTERPART_MOCK_SERVER and
# COUNTERPART_CONTRACT_TESTS name the programs, else they are the released build's. Without Chromium
# every test says that it was skipped.
# shellcheck source=scripts/lib/common.sh
. "$(dirname "${BASH_SOURCE[0]}")/../../../scripts/lib/common.sh"

ensure_node
export COUNTERPART_CONTRACT_TESTS="${COUNTERPART_CONTRACT_TESTS:-$ROOT/build/release/contract_tests/contract_tests}"
exec node --test "$ROOT/contract_tests/tests/report_page/page.test.mjs"
