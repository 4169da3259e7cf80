# shellcheck shell=bash
# OCI images of the tree, written byte by byte the same for the same files: image-spec 1.0, as a tar that docker
# load takes too (manifest.json). One image for an architecture, or an index of several.

readonly IMAGE_NAME=counterpart/mock_server
readonly USER_ID=65532

# sorted_tar ARGUMENT...: the same bytes for the same files.
sorted_tar() {
  tar --sort=name --mtime="@$SOURCE_DATE_EPOCH" --owner=0 --group=0 --numeric-owner --format=gnu "$@"
}

# For who looks into the container: names of the users, the system that the libraries are from, and dpkg's entries,
# where scanners look for packages.
add_system_files() {
  local rootfs=$1
  local -a fact
  mkdir -p "$rootfs/etc" "$rootfs/var/lib/dpkg/status.d"
  cp -L /etc/os-release "$rootfs/etc/os-release"
  printf 'root:x:0:0:root:/:/sbin/nologin\nmock:x:65532:65532:mock:/:/sbin/nologin\n' >"$rootfs/etc/passwd"
  printf 'root:x:0:\nmock:x:65532:\n' >"$rootfs/etc/group"
  while IFS=$'\t' read -r -a fact; do
    printf 'Package: %s\nStatus: install ok installed\nArchitecture: %s\nMaintainer: %s\nSource: %s (%s)\nVersion: %s\n' \
      "${fact[1]}" "${fact[3]}" "${fact[6]}" "${fact[4]}" "${fact[5]}" "${fact[2]}" \
      >"$rootfs/var/lib/dpkg/status.d/${fact[1]}"
  done <"$2"
}

# annotations VERSION: prints the members of a JSON object.
annotations() {
  local revision title="Counterpart"
  printf '"org.opencontainers.image.title":%s' "$(text_json "$title")"
  printf ',"org.opencontainers.image.description":%s' \
    "$(text_json "Plays the service that an OpenAPI contract describes, and tests one")"
  printf ',"org.opencontainers.image.version":%s' "$(text_json "$1")"
  printf ',"org.opencontainers.image.licenses":"Apache-2.0"'
  printf ',"org.opencontainers.image.created":%s' "$(text_json "$(iso_time)")"
  revision=$(git -C "$ROOT" rev-parse HEAD 2>/dev/null || true)
  [ -z "$revision" ] || printf ',"org.opencontainers.image.revision":%s' "$(text_json "$revision")"
}

# config_json VERSION ARCHITECTURE DIFF_ID. The health check is Docker's addition to the format. The
# variables are flags: an argument of the user may be a flag or a subcommand.
config_json() {
  local created
  created=$(text_json "$(iso_time)")
  cat <<END
{"created":$created,"architecture":"$2","os":"linux","config":{"User":"$USER_ID:$USER_ID",
"ExposedPorts":{"4010/tcp":{}},"Env":["PATH=/usr/bin","COUNTERPART_HOST=0.0.0.0",
"COUNTERPART_WATCH=true","COUNTERPART_OPEN_CONTROL=true"],
"Entrypoint":["/usr/bin/mock_server"],"WorkingDir":"/","StopSignal":"SIGTERM",
"Labels":{$(annotations "$1")},"Healthcheck":{
"Test":["CMD","/usr/bin/mock_server","healthcheck","http://127.0.0.1:4010"],
"Interval":10000000000,"Timeout":5000000000,"StartPeriod":5000000000,"Retries":3}},
"rootfs":{"type":"layers","diff_ids":["sha256:$3"]},
"history":[{"created":$created,"created_by":"scripts/package.sh"}]}
END
}

# add_blob FILE LAYOUT: moves the file among the blobs and prints its digest, without "sha256:".
add_blob() {
  local digest
  digest=$(sha256sum "$1" | cut -d ' ' -f 1)
  mv "$1" "$2/blobs/sha256/$digest"
  printf '%s\n' "$digest"
}

# descriptor TYPE DIGEST LAYOUT: prints the members of a descriptor.
descriptor() {
  printf '"mediaType":"application/vnd.oci.image.%s","digest":"sha256:%s","size":%s' \
    "$1" "$2" "$(stat -c %s "$3/blobs/sha256/$2")"
}

# add_image LAYOUT WORK VERSION ARCH: adds the image of WORK/tree, which lies in /usr there; prints its descriptor.
add_image() {
  local layout=$1 work=$2 version=$3 architecture rootfs="$2/rootfs" file="$1/blob" diff_id layer config manifest
  architecture=$(debian_architecture "$4")
  if [ ! -d "$rootfs" ]; then
    mkdir "$rootfs"
    cp -a "$work/tree" "$rootfs/usr"
    add_system_files "$rootfs" "$work/packages"
  fi
  mkdir -p "$layout/blobs/sha256"
  sorted_tar -C "$rootfs" -cf "$layout/layer.tar" .
  diff_id=$(sha256sum "$layout/layer.tar" | cut -d ' ' -f 1)
  gzip -n -6 <"$layout/layer.tar" >"$file"
  layer=$(add_blob "$file" "$layout")
  config_json "$version" "$architecture" "$diff_id" >"$file"
  config=$(add_blob "$file" "$layout")
  printf '{"schemaVersion":2,"mediaType":"application/vnd.oci.image.manifest.v1+json","config":{%s},"layers":[{%s}],"annotations":{%s}}\n' \
    "$(descriptor config.v1+json "$config" "$layout")" \
    "$(descriptor layer.v1.tar+gzip "$layer" "$layout")" "$(annotations "$version")" >"$file"
  manifest=$(add_blob "$file" "$layout")
  rm "$layout/layer.tar"
  # What docker load reads: it takes the first image of the archive.
  [ -f "$layout/manifest.json" ] ||
    printf '[{"Config":"blobs/sha256/%s","RepoTags":["%s"],"Layers":["blobs/sha256/%s"]}]\n' \
      "$config" "$IMAGE_NAME:$version" "$layer" >"$layout/manifest.json"
  printf '{%s,"platform":{"architecture":"%s","os":"linux"},"annotations":{"io.containerd.image.name":"docker.io/%s","org.opencontainers.image.ref.name":"%s"}}' \
    "$(descriptor manifest.v1+json "$manifest" "$layout")" "$architecture" "$IMAGE_NAME:$version" "$IMAGE_NAME:$version"
}

# write_image FILE VERSION WORK=ARCH...: writes the archive of an image, or of an index of several.
write_image() {
  local file=$1 version=$2 layout images="" each
  shift 2
  layout=$(mktemp -d "$SCRATCH/layout.XXXXXX")
  for each in "$@"; do
    images+=${images:+,}$(add_image "$layout" "${each%=*}" "$version" "${each##*=}")
  done
  # An archive names one image: of several, an index of them.
  if [ $# -gt 1 ]; then
    printf '{"schemaVersion":2,"mediaType":"application/vnd.oci.image.index.v1+json","manifests":[%s]}\n' \
      "$images" >"$layout/blob"
    images=$(printf '{%s,"annotations":{"io.containerd.image.name":"docker.io/%s","org.opencontainers.image.ref.name":"%s"}}' \
      "$(descriptor index.v1+json "$(add_blob "$layout/blob" "$layout")" "$layout")" \
      "$IMAGE_NAME:$version" "$IMAGE_NAME:$version")
  fi
  printf '{"imageLayoutVersion":"1.0.0"}\n' >"$layout/oci-layout"
  printf '{"schemaVersion":2,"mediaType":"application/vnd.oci.image.index.v1+json","manifests":[%s]}\n' \
    "$images" >"$layout/index.json"
  sorted_tar -C "$layout" -cf "$file" blobs index.json manifest.json oci-layout
}
