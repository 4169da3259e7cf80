#include "mock_server/program/check_report.hpp"

#include "mock_server/api/record_view.hpp"
#include "mock_server/examples/response_example.hpp"
#include "spec/load_error.hpp"
#include "spec/text/names.hpp"
#include "spec/text/quote.hpp"

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <optional>
#include <sstream>
#include <system_error>

namespace mock_server::program {

namespace {

using examples::generate_response_body;
using examples::headers_not_as_declared;
using examples::NotAsDeclared;
using spec::contract::MediaTypeObject;
using spec::contract::write::Body;
using spec::schema::generate::GenerateFailure;
using spec::schema::generate::Generator;

std::optional<GenerateFailure> failure_of(const spec::Result<Body, GenerateFailure>& made) {
  return made ? std::nullopt : std::optional(made.error());
}

// The source of an operation's response if it has no binding.
std::string source_of_responses(const spec::contract::Contract& contract,
                                const Generator& generator,
                                const spec::contract::Operation& operation) {
  const auto* const declared = operation.response(operation.success_status());
  if (declared == nullptr) {
    return "501: the operation declares no response that can be sent";
  }
  if (declared->contents.empty()) {
    return "a response without a body";
  }
  const auto has_example = [](const MediaTypeObject& content) { return !content.examples.empty(); };
  if (std::ranges::all_of(declared->contents, has_example)) {
    return "the contract's examples";
  }
  std::string text = std::ranges::any_of(declared->contents, has_example)
                         ? "the contract's examples, else generated examples"
                         : "generated examples";
  for (const MediaTypeObject& content : declared->contents) {
    const auto made = has_example(content)
                          ? std::nullopt
                          : failure_of(generate_response_body(contract, generator, {content}, {}));
    if (made) {
      text += "; 501 as " + content.media_type.essence() +
              ": cannot generate an example: " + made->message + " (" +
              made->schema.file_and_line() + ')';
    }
  }
  return text;
}

// Relative to the working directory, if it is inside.
std::string shown(const std::filesystem::path& folder) {
  std::error_code error;
  const auto near = folder.lexically_relative(std::filesystem::current_path(error));
  return near.empty() || *near.begin() == ".." ? folder.string() : near.string();
}

std::string played(const api::LoadedApi& api, const Generator& generator,
                   const spec::contract::Operation& operation) {
  const auto* const binding = api.fixtures.binding(operation);
  if (binding == nullptr) {
    const auto why = api.fixtures.why_not_inferred(operation);
    return source_of_responses(api.contract, generator, operation) +
           (why.empty() ? "" : "; nothing inferred: " + std::string(why));
  }
  std::string text(api::row_of(binding->behaviour).name);
  if (const auto* const inferred = api.fixtures.inferred(operation)) {
    text += ", inferred (" + std::string(inferred->is_certain ? "certain" : "likely") + ": " +
            inferred->why + ')';
  }
  return text;
}

// Ready to paste.
std::string inferred_text(const std::string& operations) {
  if (operations.empty()) {
    return "";
  }
  std::string text =
      "inferred; an operations.yaml that says the same (an entry there replaces what "
      "is inferred, --stateless infers nothing):\n";
  std::istringstream lines(operations);
  for (std::string line; std::getline(lines, line);) {
    text += "  " + line + '\n';
  }
  return text;
}

std::string contents_of(const api::LoadedApi& api) {
  const auto& contract = api.contract;
  const Generator generator(contract.schemas());
  std::string text =
      "contract " + std::string(contract.root().place().file) + ": " +
      std::string(contract.title()) + ' ' + std::string(contract.version()) + ", " +
      spec::text::counted(contract.operations().size(), "operation", "operations") + ", " +
      spec::text::counted(contract.statements().size(), "statement", "statements") + ", " +
      spec::text::counted(contract.assumptions().size(), "assumption", "assumptions") + '\n';
  for (const auto& folder : api.options.folders) {
    text += "fixtures " + shown(folder) + '\n';
  }
  for (const auto& [name, collection] : api.fixtures.collections()) {
    text += "  " + name + ": " + spec::text::counted(collection.size(), "record", "records") +
            (collection.why_unseeded().empty()
                 ? ""
                 : "; none to start with: " + std::string(collection.why_unseeded())) +
            '\n';
  }
  for (const auto& operation : contract.operations()) {
    text += "  " + operation.name + ": " + played(api, generator, operation) + '\n';
  }
  return text + inferred_text(api.fixtures.inferred_operations());
}

}  // namespace

std::string check_report(const api::Examination& found) {
  std::string text = found.api != nullptr ? contents_of(*found.api) : "";
  for (const std::string& warning : to_lines(found.warnings)) {
    text += "warning: " + warning + '\n';
  }
  for (const std::string& note : to_lines(found.notes)) {
    text += "note: " + note + '\n';
  }
  return found.problems.empty() ? text + "ok\n" : text;
}

std::vector<std::string> start_warnings(const api::LoadedApi& api) {
  constexpr std::size_t kMax = 50;
  std::vector<spec::Problem> warnings(api.contract.warnings().begin(),
                                      api.contract.warnings().end());
  warnings.insert(warnings.end(), api.fixtures.warnings().begin(), api.fixtures.warnings().end());
  std::ranges::move(headers_not_as_declared(api.contract, NotAsDeclared::kMissed),
                    std::back_inserter(warnings));
  std::vector<std::string> lines = to_lines(warnings);
  if (lines.size() > kMax) {
    const std::size_t more = lines.size() - kMax;
    lines.resize(kMax);
    lines.push_back("and " + std::to_string(more) + " more; --check lists all");
  }
  return lines;
}

std::vector<spec::Problem> unknown_scenarios(const std::vector<std::string>& names,
                                             const api::LoadedApi& api) {
  std::vector<std::string_view> known;
  for (const auto& entry : api.fixtures.scenarios()) {
    known.push_back(entry.first);
  }
  std::vector<spec::Problem> problems;
  for (const std::string& name : names) {
    if (!api.fixtures.scenarios().contains(name)) {
      problems.push_back({"", 0, 0, "",
                          "--scenario: there is no scenario " + spec::text::in_quotes(name) +
                              spec::text::suggest_known(name, known)});
    }
  }
  return problems;
}

std::string assumptions_report(const api::LoadedApi& api) {
  std::string text;
  for (const auto& statement : api.contract.assumptions()) {
    text += statement.file + ':' + std::to_string(statement.line) + ": " + statement.pointer +
            ": " + statement.reason + '\n';
  }
  return text;
}

}  // namespace mock_server::program
