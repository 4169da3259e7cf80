# shellcheck shell=bash
# The bill of materials: CycloneDX 1.5 JSON from dpkg's data, of every package that the archive has a file
# of, and of those that are compiled into the programs without a library of their own.

readonly MATERIALS=share/sbom/counterpart.cdx.json

# dpkg's data of the machine, or of the packages in SYSROOT.
query() { dpkg-query --admindir="$SYSROOT/var/lib/dpkg" "$@"; }

# Only texts of ours come here: no quotes, backslashes or control characters.
text_json() {
  [[ $1 != *[$'\x01'-$'\x1f'\"\\]* ]] || die 2 "cannot be written as JSON: $1"
  printf '"%s"' "$1"
}

iso_time() { date -u -d "@$SOURCE_DATE_EPOCH" +%Y-%m-%dT%H:%M:%SZ; }

# owners FILE...: prints "PACKAGE FILE" for each file of this machine that is from a package. For dpkg,
# some files of Debian 12 are in /lib, which is a link to /usr/lib.
owners() {
  local file
  local -a names=()
  for file in "$@"; do names+=("$file" "${file#/usr}" "/usr$file"); done
  { query -S "${names[@]}" 2>/dev/null || true; } | sed -n 's/^\([^ ,]*\): \(.*\)$/\1 \2/p'
}

# package_files WORK: writes WORK/owned, "PACKAGE PLACE" for each of WORK/from_packages, by its place in the tree.
package_files() {
  local file place package
  local -a files
  local -A found=()
  mapfile -t files < <(cut -d ' ' -f 1 "$1/from_packages")
  while read -r package file; do found[${file#/usr}]=$package; done < <(owners "${files[@]}")
  while read -r file place; do
    package=${found[${file#/usr}]:-}
    [ -n "$package" ] || die 2 "no package has $file; an archive is made from packages alone"
    printf '%s %s\n' "$package" "$place"
  done <"$1/from_packages" | sort >"$1/owned"
}

# headers_of BUILD: prints headers outside the repository from which the programs were compiled: all in
# /usr/include, and one of each folder below it.
headers_of() {
  ninja -C "$1" -t inputs mock_server/mock_server contract_tests/contract_tests 2>/dev/null | { grep '\.o$' || true; } |
    xargs -r -d '\n' ninja -C "$1" -t deps 2>/dev/null | sed -n "s|^ *[^ ]*${SYSROOT##*/}\(/usr/include/.*\)\$|\\1|p" |
    sort -u | awk -F/ 'NF == 4 { print; next } { folder = $0; sub("/[^/]*$", "", folder) } !seen[folder]++'
}

# facts PACKAGE...: prints a line of dpkg's data for each, its parts separated by tabs.
facts() {
  # shellcheck disable=SC2016  # dpkg's names
  query -W -f '${binary:Package}\t${Package}\t${Version}\t${Architecture}\t${source:Package}\t${source:Version}\t${Maintainer}\n' "$@"
}

# compiled_in WORK BUILD: prints facts of packages of which only headers were used, and no library that
# the archive has. Headers of the kernel hold no code.
compiled_in() {
  local -a headers packages
  mapfile -t headers < <(headers_of "$2")
  [ "${#headers[@]}" -gt 0 ] || die 2 "$2 does not know from which headers it was compiled; build it with ninja"
  mapfile -t packages < <(owners "${headers[@]}" | cut -d ' ' -f 1 | sort -u)
  facts "${packages[@]}" | awk -F '\t' 'NR == FNR { shipped[$5] = 1; next } !shipped[$5] && $5 != "linux"' \
    "$1/facts" -
}

# purl NAME VERSION ARCHITECTURE: a package URL, as scanners know it.
purl() {
  local name=${1//+/%2B} version=$2
  version=${version//+/%2B}
  version=${version//:/%3A}
  printf 'pkg:deb/%s/%s@%s?arch=%s&distro=%s' "$(os_field ID)" "$name" "${version//\~/%7E}" "$3" \
    "$(os_field ID)-$(os_field VERSION_ID)"
}

os_field() { sed -n "s/^$1=//p" /etc/os-release | tr -d '"'; }

# package_json WORK FACT...: a package with the files of it that the image has.
package_json() {
  local work=$1 reference file sum separator=""
  shift
  reference=$(text_json "$(purl "$2" "$3" "$4")")
  printf '{"type":"library","bom-ref":%s,"name":%s,"version":%s,"purl":%s,"supplier":{"name":%s}' \
    "$reference" "$(text_json "$2")" "$(text_json "$3")" "$reference" "$(text_json "${7%% <*}")"
  printf ',"properties":[{"name":"debian:source","value":%s}],"components":[' "$(text_json "$5 $6")"
  while read -r sum file; do
    printf '%s{"type":"file","name":%s,"hashes":[{"alg":"SHA-256","content":"%s"}]}' "$separator" \
      "$(text_json "${file#"$work/tree/"}")" "$sum"
    separator=,
  done < <(awk -v name="$1" -v tree="$work/tree/" \
    '{ own = $1; sub(":.*", "", own) } $1 == name || own == name { print tree $2 }' "$work/owned" | xargs -r sha256sum)
  printf ']}'
}

# add_licence TREE PACKAGE: copies a package's copyright file.
add_licence() {
  local paper="/usr/share/doc/$2/copyright"
  [ -f "$SYSROOT$paper" ] || die 2 "$SYSROOT$paper is missing; an archive must have the licences of what is in it"
  install -D -m 644 "$SYSROOT$paper" "$1/share/doc/counterpart/licences/$2"
}

# program_json TREE NAME: one of the two programs.
program_json() {
  printf '{"type":"application","name":"%s","hashes":[{"alg":"SHA-256","content":"%s"}]}' "$2" \
    "$(sha256sum "$1/lib/counterpart/$2" | cut -d ' ' -f 1)"
}

# bill_head VERSION TREE: the bill up to its components. Its number is made of the mock's hash.
bill_head() {
  local sum
  sum=$(sha256sum "$2/lib/counterpart/mock_server" | cut -d ' ' -f 1)
  cat <<END
{"bomFormat":"CycloneDX","specVersion":"1.5","version":1,
"serialNumber":"urn:uuid:${sum:0:8}-${sum:8:4}-4${sum:13:3}-8${sum:17:3}-${sum:20:12}",
"metadata":{"timestamp":"$(iso_time)",
"tools":{"components":[{"type":"application","name":"counterpart scripts/package.sh","version":"$1"}]},
"component":{"type":"application","bom-ref":"counterpart","name":"counterpart","version":"$1",
"licenses":[{"license":{"id":"Apache-2.0"}}],
"components":[$(program_json "$2" mock_server),$(program_json "$2" contract_tests)]}},
"components":[
END
}

# write_materials WORK VERSION BUILD: writes the bill and the licences into WORK/tree, and dpkg's lines about the
# packages into WORK/packages.
write_materials() {
  local work=$1 tree="$1/tree" separator="" line references=""
  local -a packages fact
  package_files "$work"
  mapfile -t packages < <(cut -d ' ' -f 1 "$work/owned" | sort -u)
  facts "${packages[@]}" >"$work/facts"
  compiled_in "$work" "$3" >"$work/compiled_in"
  sort "$work/facts" "$work/compiled_in" >"$work/packages"
  mkdir -p "$(dirname "$tree/$MATERIALS")"
  {
    bill_head "$2" "$tree"
    while IFS= read -r line; do
      IFS=$'\t' read -r -a fact <<<"$line"
      printf '%s' "$separator"
      package_json "$work" "${fact[@]}"
      references+="${separator%$'\n'}$(text_json "$(purl "${fact[@]:1:3}")")"
      add_licence "$tree" "${fact[1]}"
      separator=$',\n'
    done <"$work/packages"
    printf '],\n"dependencies":[{"ref":"counterpart","dependsOn":[%s]}]}\n' "$references"
  } >"$tree/$MATERIALS"
}
