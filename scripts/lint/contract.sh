#!/usr/bin/env bash
# Lints both contracts, the service's and the control API's, with validators from npm that are not
# ours: with and without what is assumed, their examples, the places of x-assumed, and that every file
# of spec/schemas/ and the schema of the suite's report compile; that our program takes the same parts
# out of the service's contract as this folder does; and that the fixtures' records agree with each
# other.
# shellcheck source=scripts/lib/common.sh
. "$(dirname "${BASH_SOURCE[0]}")/../lib/common.sh"
# shellcheck source=scripts/lib/packages.sh
. "$ROOT/scripts/lib/packages.sh"
# shellcheck source=scripts/lib/node.sh
. "$ROOT/scripts/lib/node.sh"
# shellcheck source=scripts/lib/build.sh
. "$ROOT/scripts/lib/build.sh"
shopt -s nullglob

folder="$ROOT/scripts/lint"
ensure_node
npm_packages "$folder"
node --test "$folder/contract.test.mjs" "$folder/fixtures.test.mjs"
node "$folder/contract.mjs" "$ROOT"/spec/*.openapi.yaml "$ROOT"/spec/schemas/*.schema.json \
  "$ROOT/contract_tests/report/run.schema.json"
node "$folder/fixtures.mjs" "$ROOT/fixtures"
node "$folder/block_scalars.mjs" | cmp - "$ROOT/spec/document/tests/block_scalars.json" ||
  die 1 "spec/document/tests/block_scalars.json is not what scripts/lint/block_scalars.mjs writes"
build_preset release mock_server
node "$folder/pruned.mjs" "$ROOT/build/release/mock_server/mock_server" "$ROOT/spec/payments.openapi.yaml"
