#!/usr/bin/env bash
# Validates what CI systems read of a run, and runs the templates for them. COUNTERPART_MOCK_SERVER and
# COUNTERPART_CONTRACT_TESTS name the programs, else they are the released build's. Words name the tests
# to run: formats, templates; without, all.
# shellcheck source=scripts/lib/common.sh
. "$(dirname "${BASH_SOURCE[0]}")/../../lib/common.sh"

folder="$ROOT/scripts/ci/tests"
ensure_node
npm_packages "$folder"
tests=("$@")
[ $# -gt 0 ] || tests=(formats templates)
cd "$folder"
exec node --test "${tests[@]/%/.test.mjs}"
