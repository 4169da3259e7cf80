#!/usr/bin/env bash
# Uses the console in headless Chromium; COUNTERPART_MOCK_SERVER names the program, else it is the released
# build's. Arguments go to Playwright. Ends with 77, which ctest counts as skipped, where there is no Chromium
# or npm cannot install the packages.
# shellcheck source=scripts/lib/common.sh
. "$(dirname "${BASH_SOURCE[0]}")/../../../scripts/lib/common.sh"
# shellcheck source=scripts/lib/packages.sh
. "$ROOT/scripts/lib/packages.sh"
# shellcheck source=scripts/lib/node.sh
. "$ROOT/scripts/lib/node.sh"

folder="$ROOT/mock_server/console/tests"
"${COUNTERPART_CHROMIUM:-/usr/bin/chromium}" --version >/dev/null 2>&1 || {
  say "skipped: no Chromium (apt-get install chromium)"
  exit 77
}
ensure_node
(npm_packages "$folder") || {
  say "skipped: the npm packages of ${folder#"$ROOT"/} could not be installed"
  exit 77
}
cd "$folder"
exec node_modules/.bin/playwright test "$@"
