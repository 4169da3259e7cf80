#!/usr/bin/env bash
# Uses the console in headless Chromium; COUNTERPART_MOCK_SERVER names the program, else it is the released
# build's. Arguments go to Playwright. Ends with 77, which ctest counts as skipped, where there is no Chromium
# or npm cannot install the packages.
# shellcheck source=scripts/lib/common.sh
. "$(dirname "${BASH_SOURCE[0]}")/../../../scripts/lib/common.sh"

folder="$ROOT/mock_server/console/tests"
ensure_node
no_chromium=$(node --input-type=module -e "import {withoutChromium} from '$ROOT/scripts/lib/chromium.mjs'; if (withoutChromium) console.log(withoutChromium)")
[ -z "$no_chromium" ] || {
  say "skipped: $no_chromium"
  exit 77
}
(npm_packages "$folder") || {
  say "skipped: the npm packages of ${folder#"$ROOT"/} could not be installed"
  exit 77
}
cd "$folder"
exec node_modules/.bin/playwright test "$@"
