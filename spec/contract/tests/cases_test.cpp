// Every entry of the tables in tests/cases is one test; adding one needs no C++
// (tests/cases/README.md).

#include "spec/contract/tests/case_runner.hpp"
#include "spec/document/library.hpp"
#include "spec/tests/paths.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <string>
#include <vector>

namespace {

namespace fs = std::filesystem;

class Case : public testing::Test {
 public:
  Case(nlohmann::json one, fs::path folder, std::string place)
      : case_(std::move(one)), folder_(std::move(folder)), place_(std::move(place)) {}

  void TestBody() override {
    EXPECT_THAT(spec::contract::run_case(case_, folder_), testing::IsEmpty()) << place_;
  }

 private:
  nlohmann::json case_;
  fs::path folder_;
  std::string place_;
};

// The folders in it hold documents that cases name.
std::vector<fs::path> case_files() {
  std::vector<fs::path> files;
  for (const auto& entry :
       fs::directory_iterator(test_paths::source() + "/spec/contract/tests/cases")) {
    if (entry.path().extension() == ".yaml") {
      files.push_back(entry.path());
    }
  }
  std::sort(files.begin(), files.end());
  return files;
}

std::string slug(std::string text) {
  std::replace_if(
      text.begin(), text.end(), [](unsigned char letter) { return std::isalnum(letter) == 0; },
      '_');
  return text;
}

// Registers the cases of a table: the beginning of its name, up to "_", is the suite's. Returns how
// many.
std::size_t register_table(const fs::path& file) {
  const std::string theme = file.stem().string();
  const std::string suite = "Contract_" + theme.substr(0, theme.find('_'));
  spec::document::Library library;
  const auto cases = library.open(file).elements();
  for (const spec::document::Node& node : cases) {
    const auto one = node.value();
    const std::string name = slug(one.at("name").get<std::string>());
    const std::string place = file.string() + ':' + std::to_string(node.place().line);
    testing::RegisterTest(suite.c_str(), name.c_str(), nullptr, nullptr, file.c_str(),
                          static_cast<int>(node.place().line),
                          [one, place, file]() -> testing::Test* {
                            return new Case(one, file.parent_path(), place);
                          });
  }
  return cases.size();
}

const std::size_t kRegistered = [] {
  std::size_t count = 0;
  for (const fs::path& file : case_files()) {
    count += register_table(file);
  }
  return count;
}();

TEST(ContractCases, are_found) {
  EXPECT_GT(kRegistered, 150U);
}

}  // namespace
