#!/usr/bin/env bash
# Runs the recipes of mock_server/RECIPES.md; COUNTERPART_MOCK_SERVER names the program, else it is the
# released build's. Ends with 77, which ctest counts as skipped, where npm cannot install the packages.
# shellcheck source=scripts/lib/common.sh
. "$(dirname "${BASH_SOURCE[0]}")/../../../scripts/lib/common.sh"

folder="$ROOT/mock_server/clients/node"  # the recipes use the package, and what its tests use
ensure_node
(npm_packages "$folder") || {
  say "skipped: the npm packages of ${folder#"$ROOT"/} could not be installed"
  exit 77
}
cd "$ROOT/mock_server/tests/recipes"
exec node --test
