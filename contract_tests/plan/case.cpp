#include "contract_tests/plan/case.hpp"

#include "spec/json/value.hpp"

#include <array>

namespace contract_tests::plan {

using nlohmann::json;

namespace {

bool is_word(char letter) {
  return (letter >= 'a' && letter <= 'z') || (letter >= 'A' && letter <= 'Z') ||
         (letter >= '0' && letter <= '9');
}

bool is_digit(char letter) {
  return letter >= '0' && letter <= '9';
}

constexpr std::array<std::string_view, 6> kWants{"accepted", "refused", "unauthorized",
                                                 "handled",  "status",  "anything"};

}  // namespace

std::string slug(std::string_view sentence) {
  std::string text;
  for (std::size_t at = 0; at < sentence.size(); ++at) {
    const char letter = sentence[at];
    if (is_word(letter)) {
      text += letter;
      continue;
    }
    const bool minus = letter == '-' && at + 1 < sentence.size() && is_digit(sentence[at + 1]) &&
                       (at == 0 || !is_word(sentence[at - 1]));
    if (!text.empty() && text.back() != '_') {
      text += '_';
    }
    if (minus) {
      text += "minus_";
    }
  }
  while (text.ends_with('_')) {
    text.pop_back();
  }
  return text;
}

json to_json(const Case& item) {
  json data{{"id", item.id},
            {"operation", item.operation},
            {"sentence", item.sentence},
            {"rule", item.why.rule},
            {"clause", item.why.source.clause},
            {"class", spec::contract::to_text(item.why.source.statement_class)},
            {"procedure", item.procedure},
            {"request", to_json(item.request)},
            {"want", kWants.at(static_cast<std::size_t>(item.expect.want))}};
  if (!item.expect.statuses.empty()) {
    data["statuses"] = item.expect.statuses;
  }
  if (!item.expect.body.empty()) {
    data["body"] = item.expect.body;
  }
  if (!item.data.empty()) {
    data["data"] = item.data;
  }
  return data;
}

std::vector<RequestPlan> requests_of(const Case& item) {
  std::vector<RequestPlan> requests{item.request};
  for (const auto* key : {"other", "read", "variant"}) {
    if (item.data.contains(key)) {
      requests.push_back(request_from(item.data.at(key)));
    }
  }
  return requests;
}

bool touches(const Case& item, const std::string& field) {
  const auto& body = item.request.body;
  return item.data.value("field", "") == field ||
         (body && body->is_object() && body->contains(field));
}

std::string Plan::hash() const {
  std::string text = std::to_string(seed);
  for (const auto& item : cases) {
    text += '\n' + spec::json::write(to_json(item));
  }
  return checks::stable_hash(text);
}

}  // namespace contract_tests::plan
