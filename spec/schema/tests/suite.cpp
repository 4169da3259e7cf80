#include "spec/schema/tests/suite.hpp"

#include "spec/json/read.hpp"
#include "spec/json/value.hpp"
#include "spec/schema/compiler/compiler.hpp"
#include "spec/tests/paths.hpp"

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <stdexcept>
#include <utility>

namespace spec::schema::testdata {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;

std::string read_text(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

Json read_json(const fs::path& path) {
  auto value = json::read(read_text(path));
  if (!value) {
    throw std::runtime_error(path.string() + ": " + value.error().message);
  }
  return std::move(*value);
}

fs::path suite_folder() {
  return fs::path(folder()) / "json-schema-test-suite";
}

struct Remote {
  std::string uri;
  std::string text;
};

std::vector<Remote> read_remotes() {
  std::vector<Remote> remotes;
  const fs::path root = suite_folder() / "remotes";
  for (const auto& entry : fs::recursive_directory_iterator(root)) {
    const std::string path = fs::relative(entry.path(), root).generic_string();
    if (entry.is_regular_file() &&
        (path.starts_with("draft2020-12/") || path.starts_with("draft2019-09/"))) {
      remotes.push_back({"http://localhost:1234/" + path, read_text(entry.path())});
    }
  }
  return remotes;
}

void add_file(const fs::path& path, const std::string& section, std::vector<SuiteCase>& cases) {
  const std::string file = path.stem().string();
  for (const Json& group : read_json(path)) {
    const auto schema = std::make_shared<const std::string>(json::write(group["schema"]));
    for (const Json& test : group["tests"]) {
      SuiteCase suite_case{.section = section,
                           .file = path.filename().string(),
                           .group = group["description"].get<std::string>(),
                           .description = test["description"].get<std::string>(),
                           .name = {},
                           .schema = schema,
                           .data = test["data"],
                           .valid = test["valid"].get<bool>()};
      suite_case.name = slug(file + ' ' + suite_case.group + ' ' + suite_case.description);
      cases.push_back(std::move(suite_case));
    }
  }
}

void add_folder(const fs::path& path, const std::string& section, std::vector<SuiteCase>& cases) {
  std::vector<fs::path> files;
  for (const auto& entry : fs::directory_iterator(path)) {
    if (entry.path().extension() == ".json") {
      files.push_back(entry.path());
    }
  }
  std::ranges::sort(files);
  for (const fs::path& file : files) {
    add_file(file, section, cases);
  }
}

// Twins in name get a number.
void make_unique(std::vector<SuiteCase>& cases) {
  std::map<std::string, int> seen;
  for (SuiteCase& suite_case : cases) {
    const int count = ++seen[suite_case.section + suite_case.name];
    if (count > 1) {
      suite_case.name += '_' + std::to_string(count);
    }
  }
}

}  // namespace

std::string folder() {
  const char* given = std::getenv("COUNTERPART_TESTDATA");
  return given != nullptr ? given : test_paths::source() + "/../shared/testdata";
}

std::vector<SuiteCase> official_cases() {
  std::vector<SuiteCase> cases;
  const fs::path root = suite_folder() / "tests" / "draft2020-12";
  if (fs::is_directory(root)) {
    add_folder(root, "required", cases);
    add_folder(root / "optional", "optional", cases);
    add_folder(root / "optional" / "format", "format", cases);
    make_unique(cases);
  }
  return cases;
}

std::set<std::string> exceptions() {
  std::set<std::string> names;
  const fs::path path =
      fs::path(test_paths::source()) / "spec/schema/tests/official_suite_exceptions.json";
  for (const Json& exception : read_json(path)) {
    names.insert(exception["name"].get<std::string>());
  }
  return names;
}

ValidationResult validator(const SuiteCase& suite_case) {
  static const std::vector<Remote> remotes = read_remotes();
  document::Library library;
  for (const Remote& remote : remotes) {
    library.add(remote.uri, remote.uri, remote.text, document::Format::kJson);
  }
  const document::Node root = library.add("https://example.test/case.json", suite_case.file,
                                          *suite_case.schema, document::Format::kJson);
  SchemaSet schemas;
  compiler::Compiler compiler(
      library, {.dialect = Dialect::k2020_12, .assert_format = suite_case.section == "format"},
      schemas);
  const SchemaId schema = compiler.compile(root);
  ValidationResult validated{.verdict = check(schemas, schema, suite_case.data), .violations = {}};
  for (const Violation& violation : validate(schemas, schema, suite_case.data)) {
    validated.violations.push_back(violation.instance + ": " + violation.message.text() + " [" +
                                   violation.statement.pointer() + ']');
  }
  return validated;
}

std::string slug(const std::string& text) {
  std::string name;
  for (const char byte : text) {
    if (std::isalnum(static_cast<unsigned char>(byte)) != 0) {
      name += byte;
    } else if (!name.empty() && name.back() != '_') {
      name += '_';
    }
  }
  while (name.ends_with('_')) {
    name.pop_back();
  }
  return name;
}

}  // namespace spec::schema::testdata
