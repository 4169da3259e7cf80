#!/usr/bin/env bash
# Runs GoogleTest programs in shards, several at a time, with one log for each shard; prints the logs of
# the shards that failed.
#   shards.sh JOBS LOG_FOLDER LIST      LIST is a file with one program per line
set -euo pipefail

# shards.sh --one LOG_FOLDER SHARDS INDEX PROGRAM: one shard.
if [ "$1" = --one ]; then
  log="$2/$(basename "$5").$4.log"
  if ! GTEST_TOTAL_SHARDS=$3 GTEST_SHARD_INDEX=$4 "$5" >"$log" 2>&1; then
    printf '%s, shard %s of %s, failed:\n' "$5" "$4" "$3"
    cat "$log"
    exit 1
  fi
  exit
fi

jobs=$1 logs=$2 list=$3
mkdir -p "$logs"
while read -r program; do
  for ((shard = 0; shard < jobs; shard++)); do
    printf '%s\0%s\0%s\0%s\0' "$logs" "$jobs" "$shard" "$program"
  done
done <"$list" | xargs -0 -r -n 4 -P "$jobs" "${BASH_SOURCE[0]}" --one
