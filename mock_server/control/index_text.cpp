#include "mock_server/control/index.hpp"
#include "spec/text/quote.hpp"

#include <algorithm>
#include <string>

namespace mock_server::control {
namespace {

constexpr std::size_t kMaxNames = 12;
constexpr std::size_t kMaxUrl = 160;
constexpr std::size_t kMaxSummary = 60;

// Texts of contracts and fixtures on one line of a terminal.
std::string plain(std::string_view text, std::size_t max) {
  std::string line = spec::text::shortened(text, max);
  std::ranges::replace_if(
      line, [](char c) { return (c >= 0 && c < ' ') || c == '\x7f'; }, ' ');
  return line;
}

std::string row(std::string_view name, const std::string& text) {
  constexpr std::size_t kWidth = 14;
  std::string line = "  " + std::string(name);
  line.resize(std::max(line.size() + 1, kWidth), ' ');
  return line + text + '\n';
}

std::string title_of(const Index& index) {
  return "Counterpart mock_server " + index.version + ": " + plain(index.title, kMaxSummary) + ' ' +
         plain(index.contract_version, kMaxSummary) + " (" + plain(index.file, kMaxUrl) + ")\n";
}

std::string tokens_in_words(const Index& index) {
  if (std::ranges::none_of(index.operations, &IndexOperation::needs_credentials) &&
      index.operations.size() == index.operation_count) {
    return "none needed";
  }
  if (!index.tokens) {
    return "any that is not empty";
  }
  return index.tokens->empty() ? "those of --token" : spec::text::names_listed(*index.tokens, 5);
}

std::string records_in_words(const Index& index) {
  std::vector<std::string> names;
  for (const auto& [name, records] : index.collections) {
    names.push_back(plain(name, kMaxSummary) + " (" + std::to_string(records) + ')');
  }
  return spec::text::names_listed(names, kMaxNames);
}

std::string scenarios_in_words(const Index& index) {
  std::vector<std::string> names;
  for (const IndexScenario& scenario : index.scenarios) {
    names.push_back(plain(scenario.name, kMaxSummary) + (scenario.armed ? " (armed)" : ""));
  }
  return spec::text::names_listed(names, kMaxNames);
}

// What the mock has, and where to read more: the same at the start and in the index.
std::string facts(const Index& index, const std::string& base) {
  std::string text = row("tokens", tokens_in_words(index));
  if (!index.collections.empty()) {
    text += row("records", records_in_words(index));
  }
  if (!index.scenarios.empty()) {
    text += row("scenarios", scenarios_in_words(index));
  }
  return text + row("requests", base + "/_mock/requests") + row("contract", base + "/_mock/spec") +
         row("control API", base + "/_mock/spec/control.openapi.yaml");
}

std::string url_in(const IndexOperation& operation, std::string_view address) {
  return std::string(address) + plain(operation.url, kMaxUrl) +
         (operation.needs_credentials ? "  (needs a token)" : "");
}

// Operations that a browser can call, those without credentials first.
std::vector<const IndexOperation*> operations_to_try(const Index& index, std::size_t max) {
  std::vector<const IndexOperation*> found;
  for (const bool needs_credentials : {false, true}) {
    for (const IndexOperation& operation : index.operations) {
      if (operation.method == "GET" && operation.needs_credentials == needs_credentials &&
          found.size() < max) {
        found.push_back(&operation);
      }
    }
  }
  return found;
}

}  // namespace

std::string to_text(const Index& index, std::string_view address) {
  const std::string base = std::string(address) + index.prefix;
  std::string text = title_of(index) + '\n' + row("console", base + "/_mock/") +
                     facts(index, base) + "\noperations, each with an address to try:\n";
  for (const IndexOperation& operation : index.operations) {
    text += row(operation.method, url_in(operation, address));
  }
  if (index.operation_count > index.operations.size()) {
    text += row("and", std::to_string(index.operation_count - index.operations.size()) +
                           " more: " + base + "/_mock/operations");
  }
  return text;
}

std::string start_lines(const Index& index, std::string_view address) {
  const std::string base = std::string(address) + index.prefix;
  std::string text = title_of(index) + row("console", base + "/_mock/");
  for (const IndexOperation* const operation : operations_to_try(index, 2)) {
    text += row("try", url_in(*operation, address));
  }
  return text + facts(index, base);
}

}  // namespace mock_server::control
