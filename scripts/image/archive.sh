# shellcheck shell=bash
# An OCI image of a folder, written byte by byte the same for the same files: image-spec 1.0, as a tar
# that docker load takes too (manifest.json).

readonly USER_ID=65532

# Only texts of ours come here: no quotes, backslashes or control characters.
text_json() {
  [[ $1 != *[$'\x01'-$'\x1f'\"\\]* ]] || die 2 "cannot be written as JSON: $1"
  printf '"%s"' "$1"
}

iso_time() { date -u -d "@$SOURCE_DATE_EPOCH" +%Y-%m-%dT%H:%M:%SZ; }

sorted_tar() {
  tar --sort=name --mtime="@$SOURCE_DATE_EPOCH" --owner=0 --group=0 --numeric-owner --format=gnu "$@"
}

# annotations VERSION: prints the members of a JSON object.
annotations() {
  local revision title="Counterpart mock_server"
  printf '"org.opencontainers.image.title":%s' "$(text_json "$title")"
  printf ',"org.opencontainers.image.description":%s' \
    "$(text_json "Plays the service that an OpenAPI contract describes")"
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
"history":[{"created":$created,"created_by":"scripts/image.sh"}]}
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

# write_archive WORK VERSION ARCHITECTURE: writes WORK/image.tar of WORK/rootfs; prints the digest of the
# image.
write_archive() {
  local layout="$1/layout" file="$1/blob" diff_id layer config manifest
  mkdir -p "$layout/blobs/sha256"
  sorted_tar -C "$1/rootfs" -cf "$1/layer.tar" .
  diff_id=$(sha256sum "$1/layer.tar" | cut -d ' ' -f 1)
  gzip -n -6 <"$1/layer.tar" >"$file"
  layer=$(add_blob "$file" "$layout")
  config_json "$2" "$3" "$diff_id" >"$file"
  config=$(add_blob "$file" "$layout")
  printf '{"schemaVersion":2,"mediaType":"application/vnd.oci.image.manifest.v1+json","config":{%s},"layers":[{%s}],"annotations":{%s}}\n' \
    "$(descriptor config.v1+json "$config" "$layout")" \
    "$(descriptor layer.v1.tar+gzip "$layer" "$layout")" "$(annotations "$2")" >"$file"
  manifest=$(add_blob "$file" "$layout")
  printf '{"imageLayoutVersion":"1.0.0"}\n' >"$layout/oci-layout"
  printf '{"schemaVersion":2,"mediaType":"application/vnd.oci.image.index.v1+json","manifests":[{%s,"platform":{"architecture":"%s","os":"linux"},"annotations":{"io.containerd.image.name":"docker.io/%s","org.opencontainers.image.ref.name":"%s"}}]}\n' \
    "$(descriptor manifest.v1+json "$manifest" "$layout")" "$3" "$IMAGE_NAME:$2" "$IMAGE_NAME:$2" >"$layout/index.json"
  printf '[{"Config":"blobs/sha256/%s","RepoTags":["%s"],"Layers":["blobs/sha256/%s"]}]\n' \
    "$config" "$IMAGE_NAME:$2" "$layer" >"$layout/manifest.json"
  sorted_tar -C "$layout" -cf "$1/image.tar" blobs index.json manifest.json oci-layout
  printf 'sha256:%s\n' "$manifest"
}
