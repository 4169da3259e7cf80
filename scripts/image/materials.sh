# shellcheck shell=bash
# The bill of materials: CycloneDX 1.5 JSON from dpkg's data, of every package that the image has a file
# of, and of those that are compiled into the program without a library of their own. Scanners that look
# into the image find the packages in var/lib/dpkg/status.d, too.

readonly MATERIALS=usr/share/sbom/mock_server.cdx.json

# owners FILE...: prints "PACKAGE FILE" for each file of this machine that is from a package. For dpkg,
# some files of Debian 12 are in /lib, which is a link to /usr/lib.
owners() {
  local file
  local -a names=()
  for file in "$@"; do names+=("$file" "${file#/usr}" "/usr$file"); done
  { dpkg-query -S "${names[@]}" 2>/dev/null || true; } | sed -n 's/^\([^ ,]*\): \(.*\)$/\1 \2/p'
}

# package_files WORK: writes WORK/owned, "PACKAGE FILE" for each of WORK/from_packages, by the file's
# place in the image.
package_files() {
  local file package real
  local -a files
  local -A found=()
  mapfile -t files <"$1/from_packages"
  while read -r package file; do found[${file#/usr}]=$package; done < <(owners "${files[@]}")
  for file in "${files[@]}"; do
    package=${found[${file#/usr}]:-}
    [ -n "$package" ] || die 2 "no package has $file; the image is built from packages alone"
    real=$(realpath "$(dirname "$file")")/$(basename "$file")
    printf '%s %s\n' "$package" "$real"
  done | sort >"$1/owned"
}

# headers_of BUILD: prints headers outside the repository from which the program was compiled: all in
# /usr/include, and one of each folder below it.
headers_of() {
  ninja -C "$1" -t inputs mock_server/mock_server 2>/dev/null | { grep '\.o$' || true; } |
    xargs -r -d '\n' ninja -C "$1" -t deps 2>/dev/null | sed -n 's|^ *\(/usr/include/.*\)$|\1|p' |
    sort -u | awk -F/ 'NF == 4 { print; next } { folder = $0; sub("/[^/]*$", "", folder) } !seen[folder]++'
}

# facts PACKAGE...: prints a line of dpkg's data for each, its parts separated by tabs.
facts() {
  dpkg-query -W -f '${binary:Package}\t${Package}\t${Version}\t${Architecture}\t${source:Package}\t${source:Version}\t${Maintainer}\n' "$@"
}

# compiled_in WORK BUILD: prints facts of packages of which only headers were used, and no library that
# the image has. Headers of the kernel hold no code.
compiled_in() {
  local -a headers packages
  mapfile -t headers < <(headers_of "$2")
  [ "${#headers[@]}" -gt 0 ] || die 2 "$2 does not know from which headers mock_server was compiled; build it with ninja"
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
      "$(text_json "${file#"$work/rootfs"}")" "$sum"
    separator=,
  done < <(awk -v name="$1" -v rootfs="$work/rootfs" \
    '{ own = $1; sub(":.*", "", own) } $1 == name || own == name { print rootfs $2 }' "$work/owned" | xargs -r sha256sum)
  printf ']}'
}

# add_papers ROOTFS FACT...: a package's copyright file and its entry in dpkg's database, where scanners
# look for it.
add_papers() {
  local rootfs=$1 paper="/usr/share/doc/$3/copyright"
  shift
  [ -f "$paper" ] || die 2 "$paper is missing; the image must have the licences of what is in it"
  install -D -m 644 "$paper" "$rootfs$paper"
  mkdir -p "$rootfs/var/lib/dpkg/status.d"
  printf 'Package: %s\nStatus: install ok installed\nArchitecture: %s\nMaintainer: %s\nSource: %s (%s)\nVersion: %s\n' \
    "$2" "$4" "$7" "$5" "$6" "$3" >"$rootfs/var/lib/dpkg/status.d/$2"
}

# bill_head VERSION PROGRAM: the bill up to its components. Its number is made of the program's hash.
bill_head() {
  local sum
  sum=$(sha256sum "$2" | cut -d ' ' -f 1)
  cat <<END
{"bomFormat":"CycloneDX","specVersion":"1.5","version":1,
"serialNumber":"urn:uuid:${sum:0:8}-${sum:8:4}-4${sum:13:3}-8${sum:17:3}-${sum:20:12}",
"metadata":{"timestamp":"$(iso_time)",
"tools":{"components":[{"type":"application","name":"counterpart scripts/image.sh","version":"$1"}]},
"component":{"type":"application","bom-ref":"mock_server","name":"mock_server","version":"$1",
"hashes":[{"alg":"SHA-256","content":"$sum"}],"licenses":[{"license":{"id":"Apache-2.0"}}]}},
"components":[
END
}

# write_materials WORK VERSION BUILD: writes the bill into WORK/rootfs.
write_materials() {
  local work=$1 rootfs="$1/rootfs" separator="" line references=""
  local -a packages fact
  package_files "$work"
  mapfile -t packages < <(cut -d ' ' -f 1 "$work/owned" | sort -u)
  facts "${packages[@]}" >"$work/facts"
  compiled_in "$work" "$3" >"$work/compiled_in"
  mkdir -p "$(dirname "$rootfs/$MATERIALS")"
  {
    bill_head "$2" "$rootfs/usr/bin/mock_server"
    while IFS= read -r line; do
      IFS=$'\t' read -r -a fact <<<"$line"
      printf '%s' "$separator"
      package_json "$work" "${fact[@]}"
      references+="${separator%$'\n'}$(text_json "$(purl "${fact[@]:1:3}")")"
      add_papers "$rootfs" "${fact[@]}"
      separator=$',\n'
    done < <(sort "$work/facts" "$work/compiled_in")
    printf '],\n"dependencies":[{"ref":"mock_server","dependsOn":[%s]}]}\n' "$references"
  } >"$rootfs/$MATERIALS"
}
