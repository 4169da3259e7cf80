# shellcheck shell=bash
# Configuring and building a preset of CMakePresets.json into build/PRESET.

# Runs CMake only for a new folder, a changed preset, or when clang, which compiles tests, has come or gone; ninja runs
# it again when a CMakeLists.txt changed.
configure_preset() {
  local preset=$1 folder="$ROOT/build/$1" wanted
  local -a options=()
  # In CI, warnings are errors.
  [ -z "${CI:-}" ] || options+=(-DCOUNTERPART_WERROR=ON)
  wanted="$(sha256sum <"$ROOT/CMakePresets.json") ${options[*]:-} $(command -v clang++ || true)"
  if [ ! -f "$folder/build.ninja" ] ||
    [ "$(cat "$folder/.counterpart-preset" 2>/dev/null || true)" != "$wanted" ]; then
    say "Configuring $preset"
    (cd "$ROOT" && cmake --preset "$preset" "${options[@]}" >"$folder.configure.log" 2>&1) || {
      cat "$folder.configure.log" >&2
      die 2 "cmake --preset $preset failed (see above)"
    }
    printf '%s\n' "$wanted" >"$folder/.counterpart-preset"
  fi
}

# The number of compilers at a time: one more than there are cores; fewer without 3.5 GB of free memory for each.
compilers() {
  local max
  max=$(awk '/^MemAvailable:/ { print int($2 / 3500000) }' /proc/meminfo)
  if [ "$max" -gt "$JOBS" ]; then echo $((JOBS + 1)); else echo $((max > 0 ? max : 1)); fi
}

# build_preset PRESET [TARGET...]: builds everything, or the targets only. A second build of the same
# preset waits for the first.
build_preset() {
  local preset=$1
  shift
  mkdir -p "$ROOT/build"
  (
    flock 9
    configure_preset "$preset"
    ninja -j "$(compilers)" -C "$ROOT/build/$preset" "$@" >&2 9>&- || die 2 "the build of preset $preset failed (see above)"
  ) 9>"$ROOT/build/.$preset.lock"
}
