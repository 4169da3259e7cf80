#!/usr/bin/env bash
# Builds the mock server and starts it on http://127.0.0.1:4010. Passes all arguments to mock_server
# (--help lists them). Writes only the program's own lines to standard output.
# shellcheck source=scripts/lib/common.sh
. "$(dirname "${BASH_SOURCE[0]}")/lib/common.sh"

# flag_value NAME DEFAULT [ARGUMENT]...: prints the value of a flag, the last one if it is repeated.
flag_value() {
  local name=$1 value=$2
  shift 2
  while [ $# -gt 0 ]; do
    case $1 in
      "$name") value=${2:-} ;;
      "$name="*) value=${1#*=} ;;
    esac
    shift
  done
  printf '%s\n' "$value"
}

# Prints a curl line for each operation, with records of the shipped fixtures. scripts/tests/serve.sh
# runs the lines as printed.
print_examples() {
  local url=$1
  cat >&2 <<LINES
Try, from another terminal:
  curl -s $url/customers/cus_L9xVQ2zg4mZaouqKLiMcV -H 'Authorization: Bearer dodo_test_me'
  curl -s '$url/subscriptions/sub_QYNdaKy8isWydfhl3Tvtn/usage-history?page_size=2' -H 'Authorization: Bearer dodo_test_me'
  curl -s -X PATCH $url/brands/brnd_F5ZR3qa7yEeeby3abP3E2 -H 'Authorization: Bearer dodo_test_me' -H 'Content-Type: application/json' -d '{"name": "New name"}'
  curl -s $url/licenses/validate -H 'Content-Type: application/json' -d '{"license_key": "PRO-4F7K-9QXM-2WTR-8HVD"}'
  curl -s $url/invoices/payments/pay_dr0UwfMpf5rg7wOojmCUu -o invoice.pdf
LINES
}

main() {
  local host port
  ensure_packages build
  build_preset release mock_server
  case " $* " in
    *" --contract"* | *" --no-default-fixtures"* | *" --help"* | *" -h "* | *" --version"* | *" --check"* | *" --list"*) ;;
    *)
      host=$(flag_value --host 127.0.0.1 "$@")
      port=$(flag_value --port 4010 "$@")
      [ "$port" != 0 ] || port=PORT
      print_examples "http://$host:$port"
      ;;
  esac
  exec "$ROOT/build/release/mock_server/mock_server" "$@"
}

main "$@"
