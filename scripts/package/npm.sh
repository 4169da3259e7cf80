# shellcheck shell=bash
# Packages for npm: counterpart-mock, and for each architecture one with the programs, which counterpart-mock names
# among its optional dependencies. npm installs the one that fits.

# pack FOLDER FILE: writes what is in FOLDER/package as npm does. Its modes reach the user: npm and pnpm keep them.
pack() { sorted_tar -C "$1" -cf - package | gzip -n -9 >"$2"; }

# pack_programs ARCHIVE_FOLDER VERSION ARCH WORK FILE
pack_programs() {
  local name=counterpart-mock-linux-$3
  # Links are not packed by npm.
  cp -rpL "$1" "$4/package"
  printf '# %s\n\nThe programs of counterpart-mock for Linux on %s, with all that they need. Install counterpart-mock.\n' \
    "$name" "$3" >"$4/package/README.md"
  cat >"$4/package/package.json" <<END
{
  "name": "$name",
  "version": "$2",
  "description": "mock_server and contract_tests of counterpart-mock, for Linux on $3",
  "license": "SEE LICENSE IN share/doc/counterpart/copyright",
  "os": ["linux"],
  "cpu": ["$3"],
  "preferUnplugged": true
}
END
  pack "$4" "$5"
}

# pack_commands VERSION WORK FILE
pack_commands() {
  local from="$ROOT/mock_server/clients/node"
  mkdir "$2/package"
  cp -rp "$from"/{bin,lib,README.md} "$from"/{index,playwright,server,vitest}.{js,d.ts} "$ROOT/LICENSE" "$2/package"
  # Not in the package.json of the repository: its lock file could not name packages that nobody published yet.
  sed -e "s|\"version\": \"[^\"]*\"|\"version\": \"$1\"|" \
    -e "s|^  \"peerDependencies\": |  \"optionalDependencies\": {\"counterpart-mock-linux-arm64\": \"$1\", \"counterpart-mock-linux-x64\": \"$1\"},\n&|" \
    "$from/package.json" >"$2/package/package.json"
  chmod -R u=rwX,go=rX "$2/package"
  pack "$2" "$3"
}

# make_npm ARCHIVE_FOLDER VERSION ARCH OUTPUT: writes both packages.
make_npm() {
  local work
  work=$(mktemp -d)
  mkdir "$work/programs" "$work/commands"
  pack_programs "$1" "$2" "$3" "$work/programs" "$4/counterpart-mock-linux-$3-$2.tgz"
  pack_commands "$2" "$work/commands" "$4/counterpart-mock-$2.tgz"
  rm -rf "$work"
}
