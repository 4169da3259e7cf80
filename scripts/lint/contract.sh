#!/usr/bin/env bash
# Lints the contracts of the service and of the control API with validators from npm: whole and without
# their assumptions, with examples and the places of x-assumed. Also checks that all schema files compile,
# that mock_server --document-only removes the same parts as assumed.mjs, and that the records of the
# fixtures agree with each other, and that an independent reader of OpenAPI 3.2 agrees with ours.
# shellcheck source=scripts/lib/common.sh
. "$(dirname "${BASH_SOURCE[0]}")/../lib/common.sh"
shopt -s nullglob

folder="$ROOT/scripts/lint"
ensure_node
npm_packages "$folder"
node --test "$folder/contract.test.mjs" "$folder/fixtures.test.mjs"
node "$folder/contract.mjs" "$ROOT"/spec/*.openapi.yaml "$ROOT"/spec/schemas/*.schema.json \
  "$ROOT/contract_tests/report/run.schema.json" "$ROOT/contract_tests/report/comparison.schema.json"
node "$folder/fixtures.mjs" "$ROOT/fixtures"
node "$folder/block_scalars.mjs" | cmp - "$ROOT/spec/document/tests/block_scalars.json" ||
  die 1 "spec/document/tests/block_scalars.json is out of date; write it with: node scripts/lint/block_scalars.mjs"
node "$folder/charsets.mjs" | cmp - "$ROOT/spec/text/charset_tables.inc" ||
  die 1 "spec/text/charset_tables.inc is out of date; write it with: node scripts/lint/charsets.mjs"
build_preset release mock_server
node --test "$folder/openapi_32.test.mjs"
node "$folder/pruned.mjs" "$ROOT/build/release/mock_server/mock_server" "$ROOT/spec/payments.openapi.yaml"
