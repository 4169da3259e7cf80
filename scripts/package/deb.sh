# shellcheck shell=bash
# A Debian package that wraps the tree below /usr/lib/counterpart and depends on nothing.

# write_deb FILE VERSION WORK ARCH
write_deb() {
  local files="$3/deb" program
  mkdir -p "$files/DEBIAN" "$files/usr/lib" "$files/usr/bin" "$files/usr/share/doc/counterpart"
  cp -a "$3/tree" "$files/usr/lib/counterpart"
  cp "$ROOT/LICENSE" "$files/usr/share/doc/counterpart/copyright"
  for program in mock_server contract_tests; do
    ln -s "../lib/counterpart/bin/$program" "$files/usr/bin/$program"
  done
  cat >"$files/DEBIAN/control" <<END
Package: counterpart
Version: $2
Architecture: $(debian_architecture "$4")
Maintainer: The Counterpart maintainers <counterpart@example.org>
Installed-Size: $(du -sk --apparent-size "$files/usr" | cut -f 1)
Section: devel
Priority: optional
Description: mock server and contract tests for OpenAPI contracts
 mock_server plays the service that an OpenAPI contract describes; contract_tests
 tests a service, or the mock, against it. Has its libraries with it.
END
  dpkg-deb --root-owner-group -Zxz --build "$files" "$1" >/dev/null
}
