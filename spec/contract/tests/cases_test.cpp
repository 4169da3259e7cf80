// Every file under tests/cases is one test; adding one needs no C++ (tests/cases/README.md).

#include "spec/contract/tests/case_runner.hpp"
#include "spec/tests/paths.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <string>
#include <vector>

namespace {

namespace fs = std::filesystem;

class Case : public testing::Test {
 public:
  explicit Case(fs::path file) : file_(std::move(file)) {}

  void TestBody() override {
    EXPECT_THAT(spec::contract::run_case(file_), testing::IsEmpty()) << file_.string() << ":1";
  }

 private:
  fs::path file_;
};

// What is named part-... belongs to the case beside it.
std::vector<fs::path> case_files() {
  std::vector<fs::path> files;
  for (const auto& entry :
       fs::recursive_directory_iterator(test_paths::source() + "/spec/contract/tests/cases")) {
    const fs::path& path = entry.path();
    const bool is_part = path.string().find("/part-") != std::string::npos;
    if (path.extension() == ".yaml" && !is_part) {
      files.push_back(path);
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

const bool kRegistered = [] {
  for (const fs::path& file : case_files()) {
    const std::string suite = "Contract_" + slug(file.parent_path().filename().string());
    testing::RegisterTest(suite.c_str(), slug(file.stem().string()).c_str(), nullptr, nullptr,
                          __FILE__, __LINE__,
                          [file]() -> testing::Test* { return new Case(file); });
  }
  return true;
}();

TEST(ContractCases, are_found) {
  EXPECT_TRUE(kRegistered && case_files().size() > 50);
}

}  // namespace
