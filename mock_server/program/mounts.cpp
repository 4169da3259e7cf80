#include "mock_server/program/mounts.hpp"

#include "spec/document/folder.hpp"
#include "spec/document/load.hpp"
#include "spec/load_error.hpp"
#include "spec/text/quote.hpp"

#include <string>
#include <system_error>
#include <vector>

namespace mock_server::program {
namespace {

namespace fs = std::filesystem;

bool is_there(const fs::path& path) {
  std::error_code error;
  return fs::exists(path, error);
}

bool is_folder(const fs::path& path) {
  std::error_code error;
  return fs::is_directory(path, error);
}

// Files with the name of a document, those of editors (".api.yaml.swp") not among them.
std::vector<fs::path> documents_in(const fs::path& folder) {
  std::vector<fs::path> files;
  for (const fs::path& path : spec::document::paths_in(folder)) {
    const std::string extension = path.extension().string();
    if (!path.filename().string().starts_with('.') && !is_folder(path) &&
        (extension == ".yaml" || extension == ".yml" || extension == ".json")) {
      files.push_back(path);
    }
  }
  return files;
}

// Whether the document says that it is a description of an API, of any version.
bool is_description(const fs::path& file) {
  try {
    spec::document::Library library;
    const auto root = library.open(file);
    return static_cast<bool>(root.find("openapi")) || static_cast<bool>(root.find("swagger"));
  } catch (const spec::LoadError&) {
    return false;
  }
}

std::string names_of(const std::vector<fs::path>& files) {
  std::string names;
  for (const fs::path& file : files) {
    spec::text::append_to_list(names, file.filename().string());
  }
  return names;
}

fs::path contract_in(const fs::path& folder) {
  const auto files = documents_in(folder);
  if (files.size() == 1) {
    return files.front();  // whatever is wrong with it, its loader says
  }
  if (files.empty()) {
    throw spec::LoadError(
        folder, "has no file *.yaml, *.yml or *.json; mount the folder of a contract, or nothing");
  }
  std::vector<fs::path> found;
  for (const fs::path& file : files) {
    if (is_description(file)) {
      found.push_back(file);
    }
  }
  if (found.size() == 1) {
    return found.front();
  }
  throw spec::LoadError(folder, found.empty()
                                    ? "no file in it is an OpenAPI document: " + names_of(files) +
                                          "; name the contract with --contract FILE"
                                    : "has several OpenAPI documents: " + names_of(found) +
                                          "; name one with --contract FILE");
}

}  // namespace

fs::path mounted_contract(const fs::path& folder) {
  fs::path contract = folder / "contract";
  if (!is_there(contract)) {
    return {};
  }
  return is_folder(contract) ? contract_in(contract) : contract;
}

fs::path mounted_fixtures(const fs::path& folder) {
  fs::path fixtures = folder / "fixtures";
  if (!is_there(fixtures)) {
    return {};
  }
  if (!is_folder(fixtures)) {
    throw spec::LoadError(fixtures, "must be a folder");
  }
  return fixtures;
}

}  // namespace mock_server::program
