#!/usr/bin/env bash
# Checks that spec/schemas/ is generated from the current spec/payments.openapi.yaml; --write generates it.
# shellcheck source=scripts/lib/common.sh
. "$(dirname "${BASH_SOURCE[0]}")/../lib/common.sh"

arguments=("$ROOT/spec/payments.openapi.yaml" "$ROOT/spec/schemas")
case "${1:---check}" in
  --check) arguments+=(--check) ;;
  --write) ;;
  -h | --help) usage ;;
  *) usage "unknown flag: $1" ;;
esac

build_preset release write_schemas
"$ROOT/build/release/spec/tools/write_schemas" "${arguments[@]}" ||
  die 1 "spec/schemas/ is out of date; run scripts/lint/schemas.sh --write"
