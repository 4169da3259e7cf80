# shellcheck shell=bash
# Node 18 or newer with npm, and the npm packages of a folder.

node_answers() {
  node -e 'process.exit(parseInt(process.versions.node, 10) >= 18 ? 0 : 1)' 2>/dev/null &&
    npm --version >/dev/null 2>&1
}

# Uses the installed node and npm if they work, else installs Debian's.
ensure_node() {
  node_answers && return
  install_packages nodejs npm
  node_answers || die 2 "node 18 or newer and npm are required, but node is $(node --version || echo missing)"
}

# npm_packages FOLDER: installs the packages of its lock file, or of package.json where it has none, unless they are
# installed.
npm_packages() {
  local folder=$1 install=install wanted stamp
  local -a files=("$folder/package.json")
  if [ -f "$folder/package-lock.json" ]; then
    install=ci
    files+=("$folder/package-lock.json")
  fi
  stamp="$folder/node_modules/.counterpart-lock"
  wanted=$(cat "${files[@]}" | sha256sum)
  if [ "$(cat "$stamp" 2>/dev/null || true)" != "$wanted" ]; then
    say "Installing npm packages in ${folder#"$ROOT"/}"
    (cd "$folder" && npm "$install" --no-audit --no-fund >&2) ||
      die 2 "npm $install failed in ${folder#"$ROOT"/} (see above)"
    printf '%s\n' "$wanted" >"$stamp"
  fi
}
