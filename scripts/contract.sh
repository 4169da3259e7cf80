#!/usr/bin/env bash
# Builds the contract tests and runs them: against the mock, or against any server with --base-url URL.
# Passes all arguments to contract_tests and ends with its exit code: 0 passed, 1 failed, 2 wrong flag
# or no server, 3 inconclusive.
# shellcheck source=scripts/lib/common.sh
. "$(dirname "${BASH_SOURCE[0]}")/lib/common.sh"

ensure_packages build
build_preset release mock_server contract_tests
exec "$ROOT/build/release/contract_tests/contract_tests" "$@"
