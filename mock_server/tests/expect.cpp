#include "mock_server/tests/expect.hpp"

#include "spec/json/pointer.hpp"
#include "spec/json/read.hpp"
#include "spec/json/value.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>

namespace mock_server::tests {
namespace {

using nlohmann::json;

constexpr std::size_t kShown = 300;

std::string show(const json* value) {
  return value == nullptr ? "nothing" : spec::json::write(*value).substr(0, kShown);
}

// A special value is an object with exactly one member of these names.
bool is_special(const json& expected) {
  constexpr std::array<std::string_view, 6> kNames{"has", "starts", "size", "absent", "any", "is"};
  return expected.is_object() && expected.size() == 1 &&
         std::ranges::find(kNames, expected.begin().key()) != kNames.end();
}

bool text_fits(const std::string& name, const std::string& wanted, const std::string& text) {
  return name == "has" ? text.find(wanted) != std::string::npos : text.starts_with(wanted);
}

bool special_fits(const std::string& name, const json& wanted, const json* actual) {
  if (name == "absent" || name == "any") {
    return (actual == nullptr) == (name == "absent");
  }
  if (actual == nullptr) {
    return false;
  }
  if (name == "size") {
    return actual->is_structured() && actual->size() == wanted.get<std::size_t>();
  }
  if (name == "is") {
    return spec::json::equal(*actual, wanted);
  }
  if (actual->is_array()) {
    return std::ranges::any_of(
        *actual, [&](const json& element) { return compare(wanted, &element, "").empty(); });
  }
  return actual->is_string() && wanted.is_string() &&
         text_fits(name, wanted.get<std::string>(), actual->get<std::string>());
}

std::vector<std::string> violation(const json& expected, const json* actual,
                                   const std::string& place) {
  return {place + ": must be " + show(&expected) + ", but is " + show(actual)};
}

void append(std::vector<std::string>& all, std::vector<std::string> more) {
  all.insert(all.end(), more.begin(), more.end());
}

std::vector<std::string> compare_headers(const json& expected, const spec::http::Headers& headers) {
  std::vector<std::string> violations;
  for (const auto& [name, value] : expected.items()) {
    const auto lines = headers.all(name);
    json actual = lines.empty() ? json() : json(std::string(lines.front()));
    if (value.is_array()) {
      actual = json(std::vector<std::string>(lines.begin(), lines.end()));
    }
    append(violations, compare(value, lines.empty() ? nullptr : &actual, "header " + name));
  }
  return violations;
}

std::string_view ending_word(spec::http::Ending ending) {
  switch (ending) {
    case spec::http::Ending::kComplete: return "complete";
    case spec::http::Ending::kCut: return "cut";
    case spec::http::Ending::kNothing: return "nothing";
    case spec::http::Ending::kMalformed: return "malformed";
    default: return "open";
  }
}

std::vector<std::string> compare_json_body(const json& expected, const std::string& text) {
  const auto body = spec::json::read(text);
  if (!body) {
    return {"body: must be JSON, but is " + text.substr(0, kShown)};
  }
  return compare(expected, &*body, "body");
}

}  // namespace

std::vector<std::string> compare(const json& expected, const json* actual,
                                 const std::string& place) {
  if (is_special(expected)) {
    const std::string name = expected.begin().key();
    return special_fits(name, *expected.begin(), actual) ? std::vector<std::string>{}
                                                         : violation(expected, actual, place);
  }
  if (expected.is_object() && actual != nullptr && actual->is_object()) {
    std::vector<std::string> violations;
    for (const auto& [name, value] : expected.items()) {
      const auto found = actual->find(name);
      append(violations,
             compare(value, found == actual->end() ? nullptr : &*found, place + '/' + name));
    }
    return violations;
  }
  if (expected.is_array() && actual != nullptr && actual->is_array() &&
      expected.size() == actual->size()) {
    std::vector<std::string> violations;
    for (std::size_t index = 0; index < expected.size(); ++index) {
      append(violations,
             compare(expected[index], &(*actual)[index], place + '/' + std::to_string(index)));
    }
    return violations;
  }
  return actual != nullptr && spec::json::equal(expected, *actual)
             ? std::vector<std::string>{}
             : violation(expected, actual, place);
}

std::vector<std::string> compare_response(const json& expected,
                                          const spec::http::ResponseRecord& record) {
  std::vector<std::string> violations;
  const std::string ended(ending_word(record.ending));
  if (expected.value("ended", "complete") != ended) {
    violations.push_back("must end " + expected.value("ended", "complete") + ", but is " + ended);
  }
  if (expected.contains("status") && expected["status"] != record.response.status) {
    violations.push_back("status: must be " + expected["status"].dump() + ", but is " +
                         std::to_string(record.response.status) + "; body " +
                         record.response.body.substr(0, kShown));
  }
  if (expected.contains("headers")) {
    append(violations, compare_headers(expected["headers"], record.response.headers));
  }
  if (expected.contains("body")) {
    append(violations, compare_json_body(expected["body"], record.response.body));
  }
  if (expected.contains("text")) {
    const json text = record.response.body;
    append(violations, compare(expected["text"], &text, "body"));
  }
  if (expected.contains("size") && expected["size"] != record.response.body.size()) {
    violations.push_back("body: must have " + expected["size"].dump() + " bytes, but has " +
                         std::to_string(record.response.body.size()));
  }
  if (ended == "complete") {
    for (const auto& deviation : record.deviations) {
      violations.push_back("framing: " + std::string(name_of(deviation.error)) + ": " +
                           deviation.message.text());
    }
  }
  return violations;
}

}  // namespace mock_server::tests
