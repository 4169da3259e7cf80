#!/usr/bin/env bash
# Builds the suite and runs it: against the mock, or against any server with --base-url URL.
# Arguments go to contract_tests as they are, and its exit code is this script's:
# 0 kept, 1 broken, 2 usage or could not start, 3 inconclusive.
# shellcheck source=scripts/lib/common.sh
. "$(dirname "${BASH_SOURCE[0]}")/lib/common.sh"
# shellcheck source=scripts/lib/packages.sh
. "$ROOT/scripts/lib/packages.sh"
# shellcheck source=scripts/lib/build.sh
. "$ROOT/scripts/lib/build.sh"

ensure_packages build
build_preset release mock_server contract_tests
exec "$ROOT/build/release/contract_tests/contract_tests" "$@"
