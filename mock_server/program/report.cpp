#include "mock_server/program/report.hpp"

#include "spec/load_error.hpp"

namespace mock_server::program {

namespace {

std::string contents_of(const fixtures::World& world) {
  const auto& contract = world.contract;
  std::string text = "contract " + world.options.contract.string() + ": " +
                     std::string(contract.title()) + ' ' + std::string(contract.version()) + ", " +
                     std::to_string(contract.operations().size()) + " operations, " +
                     std::to_string(contract.statements().size()) + " statements, " +
                     std::to_string(contract.assumptions().size()) + " assumptions\n";
  for (const auto& folder : world.options.folders) {
    text += "fixtures " + folder.string() + '\n';
  }
  for (const auto& [name, collection] : world.fixtures.collections()) {
    text += "  " + name + ": " + std::to_string(collection.records().size()) + " records\n";
  }
  for (const auto& operation : contract.operations()) {
    const auto* const binding = world.fixtures.binding(operation);
    text += "  " + operation.name + ": " +
            (binding != nullptr ? std::string(fixtures::to_text(binding->behaviour))
                                : std::string("the contract's examples")) +
            '\n';
  }
  return text;
}

}  // namespace

std::string check_report(const fixtures::Examination& found) {
  std::string text = found.world != nullptr ? contents_of(*found.world) : "";
  for (const spec::Problem& warning : found.warnings) {
    text += "warning: " + to_line(warning) + '\n';
  }
  return found.world != nullptr ? text + "ok\n" : text;
}

std::string assumptions_report(const fixtures::World& world) {
  std::string text;
  for (const auto& statement : world.contract.assumptions()) {
    text += statement.file + ':' + std::to_string(statement.line) + ": " + statement.pointer +
            ": " + statement.reason + '\n';
  }
  return text;
}

}  // namespace mock_server::program
