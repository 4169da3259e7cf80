# Checks the #include lines and namespaces of the given files against scripts/lint/arrows.txt (a file that
# declares another folder's class depends on that folder), and the headers that only certain folders
# may use. Prints a line for each that is not allowed.
#
# The deepest folder of arrows.txt that contains a file decides.

function fail(text) {
  printf "%s:%d: %s\n", FILENAME, FNR, text
  failed = 1
}

# The deepest folder with a line in arrows.txt that contains `path`; "" without one.
function ruled(path,    folder) {
  folder = path
  while (sub(/\/[^\/]*$/, "", folder)) {
    if (folder in arrows) {
      return folder
    }
  }
  return ""
}

# True if `from` may include `to`; notes the used words of its line.
function is_allowed(from, to,    list, count, i, above) {
  if (to == from || to == "spec") {
    return 1
  }
  count = split(arrows[from], list, " ")
  for (i = 1; i <= count; i++) {
    above = list[i]
    if (to == list[i] || (sub(/\*$/, "", above) && index(to, above) == 1)) {
      used[from, list[i]] = 1
      return 1
    }
  }
  return 0
}

# Reports each circle that begins with `folder` behind those of `path`, which include each other.
function find_circles(folder, path,    list, count, i) {
  if (index(path " ", " " folder " ")) {
    printf "scripts/lint/arrows.txt:%d: folders include each other:%s %s\n", line_of[folder], path, folder
    failed = 1
  }
  if (folder in is_looked_at) {
    return
  }
  is_looked_at[folder] = 1
  count = split(included_by[folder], list, " ")
  for (i = 1; i <= count; i++) {
    find_circles(list[i], path " " folder)
  }
}

# True for the places of GoogleTest: unit tests, and the suite's registration and main.
function may_use_gtest(path) {
  return path ~ /\/tests\// || path ~ /^contract_tests\/program\//
}

FILENAME ~ /arrows\.txt$/ {
  if ($0 ~ /^[a-z_]/) {
    folder = $0
    sub(/:.*/, "", folder)
    targets = $0
    sub(/^[^:]*:/, "", targets)
    count = split(targets, list, " ")
    for (i = 1; i <= count; i++) {
      if (list[i] !~ /\*$/ && !(list[i] in arrows)) {
        fail(folder " may include only folders named above it, not " list[i])
      }
    }
    arrows[folder] = targets
    line_of[folder] = FNR
  }
  next
}

/^[ \t]*#[ \t]*include[ \t]*[<"]/ {
  match($0, /[<"][^>"]*[>"]/)
  name = substr($0, RSTART + 1, RLENGTH - 2)
  if (name ~ /^httplib\.h$/ && FILENAME !~ /^contract_tests\/client\// &&
      FILENAME !~ /\/tests\//) {
    fail("httplib.h: only contract_tests/client and tests may include it")
  }
  if (name ~ /^(gtest|gmock)\// && !may_use_gtest(FILENAME)) {
    fail(name ": only tests and contract_tests/program may include it")
  }
  if (name !~ /^(spec|mock_server|contract_tests)\//) {
    if ($0 ~ /"/) {
      fail("\"" name "\" must be a path from the root of the repository")
    }
    next
  }
  from = ruled(FILENAME)
  to = ruled(name)
  if (from == "" || to == "") {
    fail("scripts/lint/arrows.txt has no line for the folder of " (from == "" ? FILENAME : name))
  } else if (!is_allowed(from, to)) {
    fail(from " may not include " name)
  } else if (to != from && to != "spec" && FILENAME !~ /\/tests\// && !((from, to) in seen)) {
    seen[from, to] = 1
    included_by[from] = included_by[from] " " to
  }
}

# A namespace is named after its folder: "namespace a::b {" is folder a/b, or what is below it.
/^namespace [a-z_:]+ \{/ {
  name = $2
  gsub(/::/, "/", name)
  from = ruled(FILENAME)
  to = ruled(name "/")
  if (from != "" && to != "" && !is_allowed(from, to)) {
    fail(from " may not use namespace " $2)
  }
}

# Reports unused arrows, and circles, which a line with "*" may allow.
END {
  for (from in arrows) {
    count = split(arrows[from], list, " ")
    for (i = 1; i <= count; i++) {
      if (!((from, list[i]) in used)) {
        printf "scripts/lint/arrows.txt:%d: %s includes nothing of %s\n", line_of[from], from, list[i]
        failed = 1
      }
    }
  }
  for (folder in arrows) {
    find_circles(folder, "")
  }
  exit failed
}
