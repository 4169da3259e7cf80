# shellcheck shell=bash
# A Debian package that wraps the tree below /usr/lib/counterpart and depends on nothing.

# write_deb FILE VERSION WORK ARCH
write_deb() {
  local root="$3/deb" program
  mkdir -p "$root/DEBIAN" "$root/usr/lib" "$root/usr/bin" "$root/usr/share/doc/counterpart"
  cp -a "$3/tree" "$root/usr/lib/counterpart"
  cp "$ROOT/LICENSE" "$root/usr/share/doc/counterpart/copyright"
  for program in mock_server contract_tests; do
    ln -s "../lib/counterpart/bin/$program" "$root/usr/bin/$program"
  done
  cat >"$root/DEBIAN/control" <<END
Package: counterpart
Version: $2
Architecture: $(debian_architecture "$4")
Maintainer: The Counterpart maintainers <counterpart@example.org>
Installed-Size: $(du -sk --apparent-size "$root/usr" | cut -f 1)
Section: devel
Priority: optional
Description: mock server and contract tests for OpenAPI contracts
 mock_server plays the service that an OpenAPI contract describes; contract_tests
 tests a service, or the mock, against it. Has its libraries with it.
END
  dpkg-deb --root-owner-group -Zxz --build "$root" "$1" >/dev/null
}
