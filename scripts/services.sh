#!/usr/bin/env bash
# Runs the contract tests against services of other makers, which it installs from npm and starts:
#   scripts/services.sh [json_server|feathers|prism|steady|loopback|platformatic|directus|unleash]...
# Without a name, against all, and against a service with one fault at a time. Three need PostgreSQL, and get
# one of their own. scripts/test.sh runs the first four and the faults.
# shellcheck source=scripts/lib/common.sh
. "$(dirname "${BASH_SOURCE[0]}")/lib/common.sh"

POSTGRES=

# PostgreSQL does not run as root.
as_postgres() {
  if [ "$(id -u)" -eq 0 ]; then
    runuser -u postgres -- "$@"
  else
    "$@"
  fi
}

stop_postgres() {
  as_postgres pg_ctl --pgdata "$POSTGRES" --mode immediate stop >/dev/null || true
  rm -rf "$POSTGRES"
}

start_postgres() {
  local port
  local -a programs=(/usr/lib/postgresql/*/bin)  # Debian's are not in PATH
  PATH=$PATH:${programs[-1]}
  POSTGRES=$(mktemp -d)
  [ "$(id -u)" -ne 0 ] || chown postgres "$POSTGRES"
  trap stop_postgres EXIT
  port=$(node -e 'const s = require("net").createServer(); s.listen(0, "127.0.0.1", () => { console.log(s.address().port); s.close(); })')
  as_postgres initdb --pgdata "$POSTGRES" --auth trust --username postgres --encoding UTF8 --no-sync >"$POSTGRES.log"
  as_postgres pg_ctl --pgdata "$POSTGRES" --wait --log "$POSTGRES/log" \
    --options "-F -h 127.0.0.1 -p $port -k $POSTGRES" start >/dev/null
  export COUNTERPART_POSTGRES="postgres://postgres@127.0.0.1:$port"
}

main() {
  local name
  local -a services=("$@")
  [ $# -gt 0 ] || services=(loopback platformatic directus unleash)
  local status=0
  for name in "${services[@]}"; do
    case $name in
      -h | --help) usage ;;
      json_server | feathers | prism | steady) ;;
      loopback | platformatic | directus | unleash) ;;
      *) usage "unknown service or flag: $name" ;;
    esac
  done
  ensure_packages build services
  ensure_node
  [ -n "${COUNTERPART_CONTRACT_TESTS:-}" ] || build_preset release contract_tests
  [ $# -gt 0 ] || "$ROOT/contract_tests/tests/services/run.sh" || status=1
  if [[ " ${services[*]} " =~ \ (platformatic|directus|unleash)\  ]]; then
    start_postgres
  fi
  "$ROOT/contract_tests/tests/services/run.sh" "${services[@]}" || status=1
  return "$status"
}

main "$@"
