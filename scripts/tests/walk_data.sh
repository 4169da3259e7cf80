#!/usr/bin/env bash
# The mock's data of published descriptions are as rules of the world have them, nearly always.
# shellcheck source=scripts/lib/common.sh
. "$(dirname "${BASH_SOURCE[0]}")/../lib/common.sh"

ensure_node
rules=()
for rule in totals sums epoch 'time zone' 'mail agrees with name' 'name agrees with first name' \
            'codes without blanks' 'end after start'; do
  rules+=(--at-least "$rule=90")
done
exec node "$ROOT/scripts/walk_data.mjs" --every 1 --limit 100 --at-least references=97 --at-least 'record equals list item=97' \
  --at-least 'one currency=97' --at-least 'city in country=97' "${rules[@]}"
