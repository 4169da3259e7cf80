// Writes the contract's self-contained JSON Schema files into a folder, or says which of those
// there are not what the contract says today.
//   write_schemas CONTRACT FOLDER [--check]

#include "spec/contract/contract.hpp"
#include "spec/contract/loading/load_contract.hpp"
#include "spec/contract/schema_files.hpp"
#include "spec/load_error.hpp"

#include <algorithm>
#include <exception>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>
#include <string>
#include <vector>

namespace {

namespace fs = std::filesystem;
using spec::contract::SchemaFile;

std::string read(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

// Schema files in the folder that the contract has no body for any more.
std::vector<fs::path> stale_files(const fs::path& folder, const std::vector<SchemaFile>& files) {
  std::vector<fs::path> stale;
  for (const auto& entry : fs::directory_iterator(folder)) {
    const std::string name = entry.path().filename().string();
    const bool is_known = std::any_of(
        files.begin(), files.end(), [&name](const SchemaFile& file) { return file.name == name; });
    if (name.ends_with(".schema.json") && !is_known) {
      stale.push_back(entry.path());
    }
  }
  return stale;
}

int check(const fs::path& folder, const std::vector<SchemaFile>& files) {
  int wrong = 0;
  for (const SchemaFile& file : files) {
    if (read(folder / file.name) != file.text) {
      std::cerr << (folder / file.name).string() << ": differs from the contract\n";
      ++wrong;
    }
  }
  for (const fs::path& path : stale_files(folder, files)) {
    std::cerr << path.string() << ": belongs to no body of the contract\n";
    ++wrong;
  }
  return wrong == 0 ? 0 : 1;
}

int write(const fs::path& folder, const std::vector<SchemaFile>& files) {
  for (const fs::path& path : stale_files(folder, files)) {
    fs::remove(path);
  }
  for (const SchemaFile& file : files) {
    std::ofstream out(folder / file.name, std::ios::binary);
    out << file.text;
    if (!out.flush()) {
      std::cerr << (folder / file.name).string() << ": cannot be written\n";
      return 2;
    }
  }
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  const std::vector<std::string> arguments(argv + 1, argv + argc);
  const bool is_check = arguments.size() == 3 && arguments[2] == "--check";
  if (arguments.size() != 2 && !is_check) {
    std::cerr << "usage: write_schemas CONTRACT FOLDER [--check]\n";
    return 2;
  }
  try {
    const spec::contract::Contract contract = spec::contract::load_contract(arguments[0]);
    const std::vector<SchemaFile> files = spec::contract::schema_files(contract);
    fs::create_directories(arguments[1]);
    return is_check ? check(arguments[1], files) : write(arguments[1], files);
  } catch (const std::exception& error) {
    std::cerr << error.what() << '\n';
    return 2;
  }
}
