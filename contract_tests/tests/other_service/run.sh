#!/usr/bin/env bash
# A correct service of another make passes: no error, no warning, with its one good token and with
# consent to write; afterwards every record is as before. Usage: run.sh CONTRACT_TESTS
# shellcheck source=scripts/lib/common.sh
. "$(dirname "${BASH_SOURCE[0]}")/../../../scripts/lib/common.sh"
# shellcheck source=scripts/tests/serving.sh
. "$ROOT/scripts/tests/serving.sh"

folder="$ROOT/contract_tests/tests/other_service"
suite=$1
work=$(mktemp -d)
trap 'stop_serving; rm -rf "$work"' EXIT
ensure_node
serve "$work/service.log" node "$folder/service.mjs"
status=0
"$suite" --base-url "$SERVED_URL" --token sk_one_good_token --subjects "$folder/subjects.yaml" \
  --allow-writes --report "$work/report" >"$work/suite.log" 2>&1 || status=$?
brand=$(curl -sS -X PATCH "$SERVED_URL/brands/brnd_one" -H 'Authorization: Bearer sk_one_good_token' \
  -H 'Content-Type: application/json' --data '{}')
node -e '
  const { readFileSync } = require("node:fs");
  const run = JSON.parse(readFileSync(process.argv[1]));
  const found = run.cases.flatMap((one) => one.findings ?? []).filter((one) => one.severity !== "note");
  if (found.length > 0) console.log(JSON.stringify(found, null, 1));
  const ran = run.cases.filter((one) => one.verdict !== "skipped").length;
  if (ran < 100) console.log("only", ran, "cases");
  process.exitCode = found.length > 0 || ran < 100 ? 1 : 0;
' "$work/report/run.json" || status=1
case $brand in
  *'"name":"Fjord Supply","support_email":null,"image":"https://img.fjord.example/5b0c9a34-'*) ;;
  *) say "the brand was not put back: $brand"; status=1 ;;
esac
[ "$status" -eq 0 ] || cat "$work/suite.log"
exit "$status"
