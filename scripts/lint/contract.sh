#!/usr/bin/env bash
# Lints the contract with validators from npm that are not ours: both of its forms, its examples,
# the places of x-assumed, and that every file of spec/schemas/ compiles.
set -euo pipefail
shopt -s nullglob
cd "$(dirname "${BASH_SOURCE[0]}")"

stamp=node_modules/.installed
if [[ ! -f $stamp || package-lock.json -nt $stamp ]]; then
  npm ci --silent
  touch "$stamp"
fi
node --test
node contract.mjs ../../spec/payments.openapi.yaml ../../spec/schemas/*.schema.json
