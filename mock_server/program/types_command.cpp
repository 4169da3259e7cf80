#include "mock_server/program/types_command.hpp"

#include "spec/json/value.hpp"
#include "spec/text/quote.hpp"

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include <vector>

namespace mock_server::program {
namespace {

// One of the names, each in a line of its own; "never" for none.
std::string union_of(const std::vector<std::string>& names, const std::string& indent) {
  std::string type;
  for (const std::string& name : names) {
    type += '\n' + indent + "  | " + spec::json::write(name);
  }
  return type.empty() ? " never" : type;
}

// Of a collection with very many records any text is a key.
std::string keys_of(const api::Collection& collection) {
  constexpr std::size_t kMaxKeys = 100;
  std::vector<std::string> keys;
  for (const api::Record& record : collection.records()) {
    keys.push_back(record.key);
  }
  return keys.empty() || keys.size() > kMaxKeys ? " string" : union_of(keys, "    ");
}

}  // namespace

CLI::App* register_types(CLI::App& app) {
  CLI::App* const sub = app.add_subcommand(
      "types",
      "Print the names of operations, collections, records and scenarios as TypeScript, for the "
      "types of the package counterpart-mock");
  sub->fallthrough();
  sub->group("Subcommands");
  return sub;
}

std::string names_in_typescript(const api::LoadedApi& api) {
  std::vector<std::string> operations;
  for (const auto& operation : api.contract.operations()) {
    operations.push_back(operation.id);
  }
  std::vector<std::string> collections;
  std::string records;
  for (const auto& [name, collection] : api.fixtures.collections()) {
    collections.push_back(name);
    records += "    " + spec::json::write(name) + ':' + keys_of(collection) + ";\n";
  }
  std::vector<std::string> scenarios;
  for (const auto& entry : api.fixtures.scenarios()) {
    scenarios.push_back(entry.first);
  }
  return "// The names of " + spec::text::without_controls(api.contract.title()) +
         ", as \"mock_server types\" prints them.\nexport interface Names {\n  operation:" +
         union_of(operations, "  ") + ";\n  collection:" + union_of(collections, "  ") +
         ";\n  record: {\n" + records + "  };\n  scenario:" + union_of(scenarios, "  ") + ";\n}\n";
}

}  // namespace mock_server::program
