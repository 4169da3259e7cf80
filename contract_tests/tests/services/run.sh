#!/usr/bin/env bash
# Runs the suite against the small services of other makers from npm, and against a service with one fault at a
# time. With words: only these, each the name of a folder here, "faults", or "upstream" (the mock in front of
# Prism and Steady). COUNTERPART_CONTRACT_TESTS and COUNTERPART_MOCK_SERVER name the programs, else they are the
# released build's. Ends with 77, which ctest counts as skipped, where npm cannot install the packages.
# shellcheck source=scripts/lib/common.sh
. "$(dirname "${BASH_SOURCE[0]}")/../../../scripts/lib/common.sh"

folder="$ROOT/contract_tests/tests/services"

install() {
  (npm_packages "$1") || {
    say "skipped: the npm packages of ${1#"$ROOT"/} could not be installed"
    exit 77
  }
}

[ $# -gt 0 ] || set -- faults json_server feathers prism steady
ensure_node
status=0
services=()
for name in "$@"; do
  if [ "$name" = faults ]; then
    node --test "$folder/faults.test.mjs" || status=1  # needs no packages
  elif [ "$name" = upstream ]; then
    install "$folder"
    node --test "$folder/upstream.test.mjs" || status=1
  else
    [ -f "$folder/$name/service.mjs" ] || die 2 "unknown service: $name"
    services+=("$name")
  fi
done
if [ ${#services[@]} -gt 0 ]; then
  install "$folder"
  for name in "${services[@]}"; do
    [ ! -f "$folder/$name/package.json" ] || install "$folder/$name"
  done
  node "$folder/services.test.mjs" "${services[@]}" || status=1
fi
exit "$status"
