#!/usr/bin/env bash
# Validates the manifests of scripts/deploy against the published schemas of Compose and Kubernetes.
# shellcheck source=scripts/lib/common.sh
. "$(dirname "${BASH_SOURCE[0]}")/../../lib/common.sh"

folder="$ROOT/scripts/deploy/tests"
ensure_node
npm_packages "$folder"
cd "$folder"
exec node --test deploy.test.mjs
