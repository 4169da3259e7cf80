// One test for each story. `story_tests [FOLDER [PROGRAM]]` runs other stories, or another
// program, than those of the build.

#include "mock_server/tests/control_check.hpp"
#include "mock_server/tests/expect.hpp"
#include "mock_server/tests/server_process.hpp"
#include "mock_server/tests/story.hpp"
#include "spec/json/pointer.hpp"
#include "spec/json/read.hpp"
#include "spec/load_error.hpp"
#include "spec/tests/folder.hpp"
#include "spec/tests/paths.hpp"

#include <gtest/gtest.h>

#include <cctype>
#include <cstdlib>
#include <iostream>
#include <memory>
#include <set>

namespace mock_server::tests {
namespace {

namespace fs = std::filesystem;

using Names = std::map<std::string, std::string>;

constexpr std::chrono::seconds kPatience{60};

std::string fill(std::string text, const Names& names) {
  for (const auto& [name, value] : names) {
    const std::string slot = '{' + name + '}';
    for (std::size_t at = text.find(slot); at != std::string::npos; at = text.find(slot, at)) {
      text.replace(at, slot.size(), value);
      at += value.size();
    }
  }
  return text;
}

// The request with the length of its body, which names may have changed.
std::string with_body_size(std::string bytes) {
  const std::size_t slot = bytes.find(kBodySize);
  const std::size_t head_end = bytes.find("\r\n\r\n");
  if (slot < head_end && head_end != std::string::npos) {
    constexpr std::size_t kEmptyLine = 4;
    bytes.replace(slot, kBodySize.size(), std::to_string(bytes.size() - head_end - kEmptyLine));
  }
  return bytes;
}

// The same in every text of a value.
nlohmann::json fill(nlohmann::json value, const Names& names) {
  if (value.is_string()) {
    return fill(value.get<std::string>(), names);
  }
  if (value.is_structured()) {
    for (nlohmann::json& element : value) {
      element = fill(std::move(element), names);
    }
  }
  return value;
}

void keep(const StoryExchange& exchange, const spec::http::ResponseRecord& record, Names& names) {
  for (const auto& [name, source] : exchange.keep) {
    const std::string what = source.substr(source.find(' ') + 1);
    if (source.starts_with("header ")) {
      names[name] = record.response.headers.find(what).value_or("");
      continue;
    }
    const auto body = spec::json::read(record.response.body);
    const auto* const value = body ? spec::json::find(*body, what) : nullptr;
    names[name] = value == nullptr     ? ""
                  : value->is_string() ? value->get<std::string>()
                                       : value->dump();
  }
}

class StoryTest : public testing::Test {
 public:
  StoryTest(std::string program, Story story, std::shared_ptr<const ControlCheck> control)
      : program_(std::move(program)), story_(std::move(story)), control_(std::move(control)) {}

  void TestBody() override {
    for (const auto& [name, text] : story_.files) {
      folder_.write(name, text);
    }
    Names names{{"dir", folder_.path()}};
    std::vector<std::string> flags{"--port", "0"};
    for (const std::string& flag : story_.flags) {
      flags.push_back(fill(flag, names));
    }
    ServerProcess server({program_, flags, story_.environment, folder_.path()});
    if (story_.must_exit) {
      return expect_exit(server, names);
    }
    ASSERT_TRUE(server.wait_until_listening(kPatience)) << server.errors();
    for (const StoryExchange& exchange : story_.exchanges) {
      play(server, exchange, names);
    }
    EXPECT_EQ(server.terminate(), 0) << server.errors();
    expect_all(story_.log, server.errors(), names);
  }

 private:
  void play(const ServerProcess& server, const StoryExchange& exchange, Names& names) const {
    const nlohmann::json expected = fill(exchange.response, names);
    for (int round = 0; round < exchange.repeat; ++round) {
      const std::string bytes = with_body_size(fill(exchange.bytes, names));
      const auto record = server.exchange(exchange.method, bytes);
      for (const std::string& violation : compare_response(expected, record)) {
        ADD_FAILURE() << exchange.place << ": " << violation;
      }
      for (const std::string& violation :
           control_->violations(exchange.method, target_of(bytes), record)) {
        ADD_FAILURE() << exchange.place << ": " << violation;
      }
      keep(exchange, record, names);
    }
  }

  void expect_exit(ServerProcess& server, const Names& names) const {
    EXPECT_EQ(server.wait_for_exit(kPatience), story_.exit.code) << server.errors();
    expect_all(story_.exit.errors, server.errors(), names);
    expect_all(story_.exit.output, server.output(), names);
  }

  static void expect_all(const std::vector<std::string>& texts, const std::string& all,
                         const Names& names) {
    for (const std::string& text : texts) {
      EXPECT_NE(all.find(fill(text, names)), std::string::npos)
          << "must have: " << text << "\nbut is:\n"
          << all;
    }
  }

  test_support::Folder folder_;
  std::string program_;
  Story story_;
  std::shared_ptr<const ControlCheck> control_;
};

// Every operation of the control API's document is in some story, so that its responses are
// validated.
class CoverTest : public testing::Test {
 public:
  CoverTest(std::set<std::string> asked, std::shared_ptr<const ControlCheck> control)
      : asked_(std::move(asked)), control_(std::move(control)) {}

  void TestBody() override {
    for (const auto& operation : control_->contract().operations()) {
      EXPECT_TRUE(asked_.contains(operation.id)) << "no story asks for " << operation.name;
    }
  }

 private:
  std::set<std::string> asked_;
  std::shared_ptr<const ControlCheck> control_;
};

// Letters, digits and single underscores.
std::string slug(const std::string& sentence) {
  std::string name;
  for (const char c : sentence) {
    if (std::isalnum(static_cast<unsigned char>(c)) != 0) {
      name += c;
    } else if (!name.empty() && name.back() != '_') {
      name += '_';
    }
  }
  while (!name.empty() && name.back() == '_') {
    name.pop_back();
  }
  return name;
}

void register_stories(const std::string& folder, const std::string& program) {
  const auto control = std::make_shared<const ControlCheck>(fs::path(test_paths::source()) /
                                                            "spec" / "control.openapi.yaml");
  std::set<std::string> asked;
  std::set<std::string> names;
  for (const Story& story : load_stories(folder)) {
    const std::string name = slug(story.sentence);
    if (!names.insert(name).second) {
      throw spec::LoadError({.file = story.file,
                             .line = static_cast<std::size_t>(story.line),
                             .message = "another story has the name " + name});
    }
    for (const StoryExchange& exchange : story.exchanges) {
      asked.emplace(control->operation(exchange.method, target_of(exchange.bytes)));
    }
    testing::RegisterTest("Story", name.c_str(), nullptr, nullptr, story.file.c_str(), story.line,
                          [program, story, control]() -> testing::Test* {
                            return new StoryTest(program, story, control);
                          });
  }
  testing::RegisterTest(
      "Stories", "ask_for_every_control_operation", nullptr, nullptr, __FILE__, __LINE__,
      [asked, control]() -> testing::Test* { return new CoverTest(asked, control); });
}

}  // namespace
}  // namespace mock_server::tests

int main(int count, char** words) {
  testing::InitGoogleTest(&count, words);
  try {
    mock_server::tests::register_stories(
        count > 1 ? words[1] : test_paths::source() + "/mock_server/tests/stories",
        count > 2 ? words[2] : test_paths::mock_server());
  } catch (const spec::LoadError& error) {
    std::cerr << error.what() << '\n';
    return 2;
  }
  return RUN_ALL_TESTS();
}
