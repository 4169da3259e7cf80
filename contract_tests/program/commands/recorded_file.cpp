#include "contract_tests/program/commands/recorded_file.hpp"

#include "contract_tests/program/setup/tested_server.hpp"
#include "spec/load_error.hpp"

#include <utility>
#include <vector>

namespace contract_tests::program::commands {

void reject_lines(const std::filesystem::path& file, const std::string& flag) {
  if (file.extension() == ".jsonl") {
    throw spec::LoadError(flag,
                          file.string() +
                              " holds the lines of a recording, not HAR; name the calls.har that "
                              "`mock_server record` writes beside it");
  }
}

std::optional<client::BaseUrl> service_of_calls(const flags::Options& options,
                                                const spec::contract::Contract& contract) {
  if (options.base_url.empty()) {
    return std::nullopt;
  }
  auto url = client::parse_base_url(options.base_url);
  if (!url) {
    throw spec::LoadError("--base-url", url.error());
  }
  if (!url.value().names_a_path) {
    url.value().prefix = setup::base_path_of(contract, url.value().host);
  }
  return std::move(url.value());
}

void redact_credentials(const spec::contract::Contract& contract,
                        const recorded::RecordedCalls& chosen, run::Settings& settings) {
  auto words = recorded::secrets_of(contract, chosen.calls);
  words.insert(words.end(), settings.secrets.words().begin(), settings.secrets.words().end());
  settings.secrets = run::display::Secrets(std::move(words));
}

std::string why_no_call(const recorded::RecordedCalls& chosen, const flags::Options& options) {
  if (!chosen.calls.empty()) {
    return "";
  }
  return "the file has no call to an operation of the contract" +
         (options.base_url.empty() ? "" : " at " + options.base_url) +
         (chosen.hint.empty() ? "" : "; " + chosen.hint);
}

}  // namespace contract_tests::program::commands
