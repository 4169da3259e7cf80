# shellcheck shell=bash
# What a client does with a mock that a package has.

readonly TOKEN='Authorization: Bearer dodo_test_package'

# the_five URL: the five operations, by a client from outside. All of a response is read, for a client that is cut off
# fails.
the_five() {
  curl -sf -H "$TOKEN" "$1/customers/cus_L9xVQ2zg4mZaouqKLiMcV" | grep '"Amara Okafor"' &&
  curl -sf -H "$TOKEN" "$1/subscriptions/sub_QYNdaKy8isWydfhl3Tvtn/usage-history?page_size=2" | grep '"items"' &&
  curl -sf -H "$TOKEN" -H 'Content-Type: application/json' -X PATCH -d '{"name": "New"}' \
    "$1/brands/brnd_F5ZR3qa7yEeeby3abP3E2" | grep '"name":"New"' &&
  curl -sf -H "$TOKEN" -H 'Content-Type: application/json' -d '{"license_key": "PRO-4F7K-9QXM-2WTR-8HVD"}' \
    "$1/licenses/validate" | grep -x '{"valid":true}' &&
  curl -sf "$1/invoices/payments/pay_dr0UwfMpf5rg7wOojmCUu" | tr -d '\0' | sed -n '1s/^%PDF-.*/PDF/p' | grep -x PDF
} >/dev/null
