#include "contract_tests/program/run_identity.hpp"

#include "contract_tests/checks/finding.hpp"
#include "spec/document/text_file.hpp"
#include "spec/json/value.hpp"
#include "spec/load_error.hpp"
#include "spec/text/ascii.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <filesystem>
#include <system_error>

namespace contract_tests::program {

namespace fs = std::filesystem;

namespace {

std::string hash_of_file(const fs::path& file) {
  const auto text = spec::document::read_file(file);
  return checks::stable_hash(text ? text.value() : std::string());
}

std::vector<fs::path> files_below(const fs::path& path) {
  std::error_code error;
  if (!fs::is_directory(path, error)) {
    return {path};
  }
  std::vector<fs::path> files;
  for (const auto& entry : fs::recursive_directory_iterator(path, error)) {
    if (entry.is_regular_file(error)) {
      files.push_back(entry.path());
    }
  }
  std::ranges::sort(files);
  return files;
}

}  // namespace

std::string hash_of_contract(const spec::contract::Contract& contract, const fs::path& path) {
  const auto root = contract.root();
  std::vector<std::string> others;  // of files that it refers to
  for (const auto& file : contract.files()) {
    std::error_code error;
    if (!fs::equivalent(file, path, error)) {
      others.push_back(hash_of_file(file));
    }
  }
  std::ranges::sort(others);
  auto text = spec::json::write(root.value());
  for (const auto& other : others) {
    text += other;
  }
  return checks::stable_hash(text);
}

std::string hash_of_files(const std::vector<fs::path>& paths) {
  std::string text;
  for (const auto& path : paths) {
    for (const auto& file : files_below(path)) {
      text += hash_of_file(file);
    }
  }
  return checks::stable_hash(text);
}

std::string hash_of_subjects(const plan::Names& names) {
  std::string text;
  for (const auto& [name, value] : names.values()) {
    if (!plan::is_credential(name)) {
      text.append(name).append("\n").append(value).append("\n");
    }
  }
  return checks::stable_hash(text);
}

report::RunSettings settings_of(const Options& options) {
  const std::string filter = testing::GTEST_FLAG(filter);
  return {.tolerate = options.tolerate,
          .allow_writes = options.allow_writes,
          .allow_writes_to = options.writes_to,
          .sandbox = options.sandbox,
          .allow_live = options.allow_live,
          .allow_probes = options.allow_probes,
          .allow_burst = options.allow_burst,
          .filter = filter == "*" ? std::string() : filter,
          .repeat = options.repeat,
          .max_requests = options.max_requests,
          .subjects = {},
          .fail_on = options.fail_on};
}

std::optional<report::Shard> shard_of_environment() {
  const char* const total = std::getenv("GTEST_TOTAL_SHARDS");
  const char* const number = std::getenv("GTEST_SHARD_INDEX");
  if (total == nullptr || number == nullptr) {
    return std::nullopt;
  }
  const auto of = spec::text::parse_number<std::size_t>(total);
  const auto index = spec::text::parse_number<std::size_t>(number);
  if (!of || !index || *of < 2 || *index >= *of) {
    return std::nullopt;
  }
  return report::Shard{*index, *of};
}

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
  // The part before an "@" may be a password.
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

}  // namespace contract_tests::program
