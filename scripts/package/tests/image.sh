#!/usr/bin/env bash
# Builds the image of a build twice, and runs it: image.sh BUILD_FOLDER. Ends with 77, which ctest counts as
# skipped, where nothing can be mounted (not root), or buildah or the npm packages are missing.
# shellcheck source=scripts/lib/common.sh
. "$(dirname "${BASH_SOURCE[0]}")/../../lib/common.sh"

skip() {
  say "skipped: $*"
  exit 77
}

[ "$(id -u)" -eq 0 ] || skip "only root can mount the image's files"
command -v buildah >/dev/null || skip "the package buildah is not installed"
unshare --mount --pid --fork true 2>/dev/null || skip "no mount and process namespaces can be made"
ensure_node
(npm_packages "$ROOT/scripts/package/tests") || skip "the npm packages of scripts/package/tests could not be installed"
COUNTERPART_BUILD=$(cd "$1" && pwd)
export COUNTERPART_BUILD
cd "$ROOT/scripts/package/tests"
exec node --test image.test.mjs papers.test.mjs
