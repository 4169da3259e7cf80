#include "mock_server/tests/story.hpp"

#include "mock_server/api/loading/load_api.hpp"
#include "mock_server/tests/node_reader.hpp"
#include "spec/document/library.hpp"
#include "spec/json/value.hpp"
#include "spec/text/ascii.hpp"

#include <algorithm>

namespace mock_server::tests {
namespace {

namespace fs = std::filesystem;

using spec::document::Node;

std::vector<std::string> read_texts(const Node& list) {
  std::vector<std::string> texts;
  for (const Node& node : list.elements()) {
    texts.emplace_back(node.is_string() ? node.string() : node.value().dump());
  }
  return texts;
}

std::vector<std::pair<std::string, std::string>> read_pairs(const Node& object) {
  std::vector<std::pair<std::string, std::string>> pairs;
  for (const auto& member : object.members()) {
    if (member.value.is_array()) {
      for (const std::string& text : read_texts(member.value)) {
        pairs.emplace_back(member.key, text);
      }
    } else {
      pairs.emplace_back(member.key, member.value.is_string() ? member.value.string()
                                                              : member.value.value().dump());
    }
  }
  return pairs;
}

// The request line, headers and body that the members of an exchange describe.
std::string compose(NodeReader& reader, std::string_view send) {
  std::string head = std::string(send) + " HTTP/1.1\r\nConnection: close\r\n";
  std::string body;
  auto headers = read_pairs(reader.object("headers"));
  const auto has = [&](std::string_view name) {
    return std::ranges::any_of(headers, [&](const auto& header) {
      return spec::text::equals_ignoring_case(header.first, name);
    });
  };
  const bool has_type = has("Content-Type");
  if (!has("Host")) {
    head += "Host: localhost\r\n";
  }
  if (const Node json = reader.member("body")) {
    body = spec::json::write(json.value());
    if (!has_type) {
      headers.emplace_back("Content-Type", "application/json");
    }
  }
  const auto text = reader.string("text");
  body = text.value_or(body);
  if (const auto token = reader.string("token")) {
    headers.emplace_back("Authorization", "Bearer " + std::string(*token));
  }
  if (!body.empty() || text) {
    headers.emplace_back("Content-Length", std::string(kBodySize));
  }
  for (const auto& [name, value] : headers) {
    head += name + ": " + value + "\r\n";
  }
  return head + "\r\n" + body;
}

StoryExchange read_exchange(const Node& node, Problems& problems) {
  StoryExchange exchange;
  NodeReader reader(node, problems);
  const auto send = reader.string("send");
  const auto raw = reader.string("raw");
  if (send.has_value() == raw.has_value()) {
    reader.report("must have either \"send\" or \"raw\"");
  }
  exchange.bytes = raw ? std::string(*raw) : compose(reader, send.value_or(""));
  exchange.method = exchange.bytes.substr(0, exchange.bytes.find(' '));
  exchange.repeat = static_cast<int>(reader.integer("repeat").value_or(1));
  if (const Node response = reader.object("response")) {
    NodeReader parts(response, problems);
    for (const char* const part : {"status", "headers", "body", "text", "size", "ended"}) {
      parts.member(part);
    }
    parts.finish();
    exchange.response = response.value();
  } else {
    reader.report("must have a \"response\"");
  }
  for (auto& [name, source] : read_pairs(reader.object("keep"))) {
    exchange.keep.emplace(name, source);
  }
  reader.finish();
  const auto place = node.place();
  exchange.place = std::string(place.file) + ':' + std::to_string(place.line);
  return exchange;
}

void read_exit(const Node& node, Story& story, Problems& problems) {
  story.must_exit = true;
  NodeReader reader(node, problems);
  reader.require("code");
  story.exit.code = static_cast<int>(reader.integer("code").value_or(0));
  story.exit.errors = read_texts(reader.array("errors"));
  story.exit.output = read_texts(reader.array("output"));
  reader.finish();
}

Story read_story(const Node& root, Problems& problems) {
  NodeReader reader(root, problems);
  Story story;
  story.file = root.place().file;
  story.line = static_cast<int>(root.place().line);
  story.sentence = reader.required_string("story").value_or("");
  story.flags = read_texts(reader.array("flags"));
  story.environment = read_pairs(reader.object("environment"));
  story.files = read_pairs(reader.object("files"));
  story.log = read_texts(reader.array("log"));
  for (const Node& node : reader.array("exchanges").elements()) {
    story.exchanges.push_back(read_exchange(node, problems));
  }
  if (const Node node = reader.object("exit")) {
    read_exit(node, story, problems);
  }
  if (story.must_exit != story.exchanges.empty()) {
    reader.report("must have either \"exchanges\" or \"exit\"");
  }
  reader.finish();
  return story;
}

}  // namespace

std::vector<Story> load_stories(const fs::path& folder) {
  std::vector<fs::path> files;
  for (const auto& entry : fs::directory_iterator(folder)) {
    if (api::loading::is_fixture_file(entry.path())) {
      files.push_back(entry.path());
    }
  }
  std::ranges::sort(files);
  std::vector<Story> stories;
  spec::document::Library library;
  Problems problems;
  for (const fs::path& file : files) {
    const Node list = library.open(file);
    if (!list.is_array()) {
      throw spec::LoadError(file.string(), "must be a list of stories");
    }
    for (const Node& node : list.elements()) {
      stories.push_back(read_story(node, problems));
    }
  }
  if (!problems.empty()) {
    throw spec::LoadError(std::move(problems));
  }
  return stories;
}

}  // namespace mock_server::tests
