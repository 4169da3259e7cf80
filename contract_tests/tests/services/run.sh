#!/usr/bin/env bash
# Runs the suite against services of other makers from npm, and against a service with one fault at a time.
# With names of folders here: those services instead. COUNTERPART_CONTRACT_TESTS names the program, else it
# is the released build's.
# shellcheck source=scripts/lib/common.sh
. "$(dirname "${BASH_SOURCE[0]}")/../../../scripts/lib/common.sh"
# shellcheck source=scripts/lib/packages.sh
. "$ROOT/scripts/lib/packages.sh"
# shellcheck source=scripts/lib/node.sh
. "$ROOT/scripts/lib/node.sh"

folder="$ROOT/contract_tests/tests/services"
ensure_node
npm_packages "$folder"
services=("$@")
if [ $# -eq 0 ]; then
  services=(json_server feathers prism steady)
  node --test "$folder/faults.test.mjs"
fi
for name in "${services[@]}"; do
  [ -f "$folder/$name/service.mjs" ] || die 2 "unknown service: $name"
  [ ! -f "$folder/$name/package.json" ] || npm_packages "$folder/$name"
done
exec node "$folder/services.test.mjs" "${services[@]}"
