#!/usr/bin/env bash
# Runs scripts/serve.sh, then every curl line that it prints.
# shellcheck source=scripts/lib/common.sh
. "$(dirname "${BASH_SOURCE[0]}")/../lib/common.sh"
# shellcheck source=scripts/tests/serving.sh
. "$ROOT/scripts/tests/serving.sh"

work=$(mktemp -d)
cd "$work"
# A port that is free now; --port 0 would leave the printed lines without one.
port=$((20000 + RANDOM % 10000))
serve "$work/log" "$ROOT/scripts/serve.sh" --port "$port"
[ "$SERVED_URL" = "http://127.0.0.1:$port" ] || die 1 "must listen on port $port, but listens on $SERVED_URL"
[ "$(wc -l <"$work/log.out")" -eq 1 ] || die 1 "standard output must be one line, but is: $(cat "$work/log.out")"

count=0
while read -r line; do
  # --fail turns a response of 4xx into a failure.
  response=$(bash -c "${line/curl /curl --fail --show-error }") || die 1 "failed: $line"
  [ -n "$response" ] || [ -s invoice.pdf ] || die 1 "printed nothing: $line"
  count=$((count + 1))
done < <(grep '^ *curl ' "$work/log")
[ "$count" -eq 5 ] || die 1 "must print 5 curl lines, but printed $count"
head -c 5 invoice.pdf | grep -q '%PDF-' || die 1 "invoice.pdf is not a PDF"
stop_serving
rm -rf "$work"
