// Command lines of the program, one data file each: messages and exit codes. An error is one line
// on standard error and no verdict on standard output.

#include "contract_tests/tests/support/child.hpp"
#include "contract_tests/tests/support/suite_tests.hpp"
#include "spec/tests/folder.hpp"
#include "spec/tests/paths.hpp"

#include <gmock/gmock.h>

namespace contract_tests {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;
using testing::HasSubstr;
using testing::Not;

std::string filled(std::string text, const fs::path& folder) {
  constexpr std::string_view kHole = "{folder}";
  for (auto at = text.find(kHole); at != std::string::npos; at = text.find(kHole)) {
    text.replace(at, kHole.size(), folder.string());
  }
  return text;
}

class CommandLine : public testing::Test {
 public:
  explicit CommandLine(json data) : data_(std::move(data)) {
    const auto files = data_.value("files", json::object());
    for (const auto& [name, text] : files.items()) {
      folder_.write(name, filled(text, folder_.path()));
    }
  }

  void TestBody() override {
    std::vector<std::string> arguments;
    for (const auto& argument : data_.at("arguments")) {
      arguments.push_back(filled(argument, folder_.path()));
    }
    std::map<std::string, std::string> environment{
        {"COUNTERPART_MOCK_SERVER", test_paths::mock_server()}};
    const auto variables = data_.value("environment", json::object());
    for (const auto& [name, value] : variables.items()) {
      environment[name] = value.get<std::string>();
    }

    const auto ended = support::run_child(test_paths::contract_tests(), arguments, environment);

    EXPECT_EQ(ended.exit_code, data_.at("exit")) << ended.err << ended.out.substr(0, 2000);
    check_words(ended);
  }

 private:
  void check_words(const support::Ended& ended) const {
    for (const auto& words : data_.value("says", json::array())) {
      EXPECT_THAT(ended.err, HasSubstr(filled(words, folder_.path())));
      EXPECT_EQ(std::ranges::count(ended.err, '\n'), 1) << ended.err;
      EXPECT_THAT(ended.out, Not(HasSubstr(" passed, ")));
    }
    for (const auto& words : data_.value("warns", json::array())) {
      EXPECT_THAT(ended.err, HasSubstr(filled(words, folder_.path())));
    }
    for (const auto& words : data_.value("says_not", json::array())) {
      EXPECT_THAT(ended.err, Not(HasSubstr(filled(words, folder_.path()))));
    }
    for (const auto& words : data_.value("prints", json::array())) {
      EXPECT_THAT(ended.out, HasSubstr(filled(words, folder_.path())));
    }
    for (const auto& words : data_.value("prints_not", json::array())) {
      EXPECT_THAT(ended.out, Not(HasSubstr(filled(words, folder_.path()))));
    }
  }

  json data_;
  test_support::Folder folder_;
};

}  // namespace

void register_command_line_tests(plan::DataFiles& files) {
  support::register_folder(files, "command_lines", [](const std::string& name, json data) {
    testing::RegisterTest("CommandLines", name.c_str(), nullptr, nullptr, __FILE__, __LINE__,
                          [data]() -> testing::Test* { return new CommandLine(data); });
  });
}

}  // namespace contract_tests
