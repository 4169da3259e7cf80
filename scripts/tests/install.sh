#!/usr/bin/env bash
# Installs a build with cmake --install into an empty folder, and runs the installed programs from another working
# directory.
#   install.sh BUILD_FOLDER
# shellcheck source=scripts/lib/common.sh
. "$(dirname "${BASH_SOURCE[0]}")/../lib/common.sh"
# shellcheck source=scripts/tests/serving.sh
. "$ROOT/scripts/tests/serving.sh"

build=$(cd "$1" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# use PREFIX NAME: runs the programs below the prefix, which must find their data there.
use() {
  local prefix=$1 program
  for program in mock_server contract_tests; do
    ! grep -qF "$ROOT" "$prefix/bin/$program" || die 1 "$program contains the path of the source tree"
  done
  (
    cd /
    serve "$work/log" "$prefix/bin/mock_server" --port 0
    curl -sf -H 'Authorization: Bearer dodo_test_install' -o "$work/customer" \
      "$SERVED_URL/customers/cus_L9xVQ2zg4mZaouqKLiMcV"
    grep -q '"Amara Okafor"' "$work/customer"
    curl -sf -o "$work/invoice" "$SERVED_URL/invoices/payments/pay_dr0UwfMpf5rg7wOojmCUu"
    head -c 5 "$work/invoice" | grep -qx '%PDF-'
    stop_serving
    "$prefix/bin/mock_server" --config "$prefix/share/counterpart/mock_server/mock_server.example.toml" \
      --check >"$work/log" 2>&1 || die 1 "--check: $(cat "$work/log")"
    "$prefix/bin/contract_tests" \
      --config "$prefix/share/counterpart/contract_tests/contract_tests.example.toml" \
      >"$work/log" 2>&1 || die 1 "contract_tests: $(cat "$work/log")"
    COUNTERPART_REPORT=$work/report COUNTERPART_FLAGS="--filter 'GET_customers*'" \
      "$prefix/share/counterpart/scripts/ci/run.sh" >"$work/log" 2>&1 || die 1 "run.sh: $(cat "$work/log")"
    grep -qx verdict=passed "$work/report/outputs.env"
  )
  say "works: $2"
}

cmake --install "$build" --prefix "$work/installed" >/dev/null
use "$work/installed" "cmake --install"
