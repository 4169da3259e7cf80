#include "contract_tests/run/case.hpp"

#include "spec/json/value.hpp"
#include "spec/text/ascii.hpp"

#include <algorithm>
#include <array>

namespace contract_tests::run {

using nlohmann::json;

namespace {

constexpr std::array<std::string_view, 6> kWants{"accepted", "rejected", "unauthorized",
                                                 "handled",  "status",   "anything"};

json as_data(const Case& item) {
  json requests = json::array();
  for (const plan::RequestPlan& request : requests_of(item)) {
    requests.push_back(to_json(request));
  }
  return {{"id", item.id},
          {"sentence", item.sentence},
          {"rule", item.basis.rule},
          {"clause", item.basis.source.clause},
          {"class", spec::contract::to_text(item.basis.source.statement_class)},
          {"requests", std::move(requests)},
          {"want", static_cast<int>(item.expect.want)},
          {"statuses", item.expect.statuses},
          {"body", item.expect.body},
          {"field", item.field}};
}

}  // namespace

std::string_view to_text(Want want) {
  return kWants.at(static_cast<std::size_t>(want));
}

Want want_from(std::string_view text) {
  return static_cast<Want>(std::ranges::find(kWants, text) - kWants.begin());
}

std::string slug(std::string_view sentence) {
  std::string text;
  for (std::size_t at = 0; at < sentence.size(); ++at) {
    const char letter = sentence[at];
    if (spec::text::is_letter_or_digit(letter)) {
      text += letter;
      continue;
    }
    const bool minus = letter == '-' && at + 1 < sentence.size() &&
                       spec::text::is_digit(sentence[at + 1]) &&
                       (at == 0 || !spec::text::is_letter_or_digit(sentence[at - 1]));
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

std::string name_of(std::string_view operation_name, std::string_view sentence) {
  return slug(operation_name) + '.' + slug(sentence);
}

std::vector<std::reference_wrapper<const plan::RequestPlan>> requests_of(const Case& item) {
  std::vector<std::reference_wrapper<const plan::RequestPlan>> requests{item.request};
  requests.insert(requests.end(), item.others.begin(), item.others.end());
  if (item.variant) {
    requests.push_back(*item.variant);
  }
  return requests;
}

bool repeats_its_request(const Case& item) {
  return item.variant && *item.variant == item.request;
}

bool touches(const Case& item, const std::string& field) {
  const auto& body = item.request.body;
  return item.field == field || (body && body->is_object() && body->contains(field));
}

std::string Plan::hash() const {
  std::string text = std::to_string(seed) + rules;
  for (const auto& item : cases) {
    text += checks::stable_hash(spec::json::write(as_data(item)));
  }
  return checks::stable_hash(text);
}

}  // namespace contract_tests::run
