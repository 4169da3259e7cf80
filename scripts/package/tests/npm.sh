#!/usr/bin/env bash
# Installs the packages for npm as a project does, with npm and with pnpm, and runs the examples with them. Ends with
# 77, which ctest counts as skipped, where npm cannot install what the examples need.
#   npm.sh BUILD_FOLDER
# shellcheck source=scripts/lib/common.sh
. "$(dirname "${BASH_SOURCE[0]}")/../../lib/common.sh"

COUNTERPART_PACKAGES=$(mktemp -d)
trap 'rm -rf "$COUNTERPART_PACKAGES"' EXIT
export COUNTERPART_PACKAGES
unset COUNTERPART_MOCK_SERVER COUNTERPART_CONTRACT_TESTS
ensure_node
(npm_packages "$ROOT/mock_server/clients/node") || {
  say "skipped: the npm packages of mock_server/clients/node could not be installed"
  exit 77
}
"$ROOT/scripts/package.sh" --only npm --build "$1" --output "$COUNTERPART_PACKAGES"
node --test "$ROOT/scripts/package/tests/npm.test.mjs"
