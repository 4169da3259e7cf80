#include "contract_tests/program/flags/inputs.hpp"

#include "spec/load_error.hpp"

#include <nlohmann/json.hpp>

#include <array>
#include <filesystem>
#include <system_error>

namespace contract_tests::program::flags {

namespace fs = std::filesystem;
using nlohmann::json;

namespace {

struct InputFile {
  const char* name;  // of the member; the flag is this with dashes before it
  fs::path Options::*path;
};

constexpr std::array<InputFile, 5> kInputFiles{{{"contract", &Options::contract},
                                                {"rules", &Options::rules},
                                                {"cases", &Options::cases},
                                                {"severities", &Options::severities},
                                                {"subjects", &Options::subjects}}};

std::string relative_to_here(const fs::path& path) {
  std::error_code error;
  const auto whole = fs::absolute(path, error);
  return whole.lexically_proximate(fs::current_path(error)).generic_string();
}

void require_file(const std::string& path, const std::string& flag, const std::string& run) {
  std::error_code error;
  if (!fs::exists(path, error)) {
    throw spec::LoadError(run, "the run was made with " + flag + ' ' + path +
                                   ", which is not there; name it with " + flag +
                                   ", or start in the folder where the run was started");
  }
}

}  // namespace

json inputs_of(const Options& options) {
  json inputs = json::object();
  for (const auto& [name, path] : kInputFiles) {
    if (!(options.*path).empty()) {
      inputs[name] = relative_to_here(options.*path);
    }
  }
  for (const auto& folder : options.fixtures) {
    inputs["fixtures"].push_back(relative_to_here(folder));
  }
  // What is before an "@" may be a password.
  if (!options.base_url.empty() && options.base_url.find('@') == std::string::npos) {
    inputs["base_url"] = options.base_url;
  }
  return inputs;
}

void take_inputs(const json& run, const std::string& file, Options& options) {
  const auto inputs = run.value("inputs", json::object());
  for (const auto& [name, path] : kInputFiles) {
    if ((options.*path).empty() && inputs.contains(name)) {
      const auto text = inputs.at(name).get<std::string>();
      require_file(text, std::string("--") + name, file);
      options.*path = text;
    }
  }
  if (options.fixtures.empty() && inputs.contains("fixtures")) {
    for (const auto& folder : inputs.at("fixtures")) {
      require_file(folder.get<std::string>(), "--fixtures", file);
      options.fixtures.push_back(folder.get<std::string>());
    }
  }
  if (options.base_url.empty()) {
    options.base_url = inputs.value("base_url", "");
  }
  options.document_only = options.document_only || run.at("document_only").get<bool>();
  options.tolerate =
      options.tolerate || run.value("settings", json::object()).value("tolerate", false);
  if (!options.names_seed) {
    options.seed = run.at("plan").at("seed").get<std::uint64_t>();
  }
}

}  // namespace contract_tests::program::flags
