#include "contract_tests/checks/leaks.hpp"

#include "contract_tests/checks/documented_members.hpp"
#include "spec/json/read.hpp"
#include "spec/text/quote.hpp"
#include "spec/text/utf8.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cassert>
#include <utility>

namespace contract_tests::checks {

namespace {

constexpr std::size_t kLooked = 64U * 1024;  // of a response; traces are at its start
constexpr std::string_view kBoundary = "\\b";

// True if the pattern is one of several that "|" separates, outside of any group.
bool is_choice(std::string_view pattern) {
  int depth = 0;
  bool in_class = false;
  for (std::size_t at = 0; at < pattern.size(); ++at) {
    const char letter = pattern[at];
    at += letter == '\\' ? 1 : 0;
    in_class = in_class ? letter != ']' : letter == '[';
    depth += in_class ? 0 : letter == '(' ? 1 : letter == ')' ? -1 : 0;
    if (letter == '|' && depth == 0 && !in_class) {
      return true;
    }
  }
  return false;
}

// "(?:a)|(?:b)".
std::string alternatives(const std::vector<std::string>& patterns) {
  return "(?:" + spec::text::join(patterns, ")|(?:") + ')';
}

// The patterns as one. Those that start at the boundary of a word share it: most places of a text
// are none.
std::string as_one(const std::vector<std::string>& patterns) {
  std::vector<std::string> anywhere;
  std::vector<std::string> words;
  for (const auto& pattern : patterns) {
    if (pattern.starts_with(kBoundary) && !is_choice(pattern)) {
      words.push_back(pattern.substr(kBoundary.size()));
    } else {
      anywhere.push_back(pattern);
    }
  }
  if (!words.empty()) {
    anywhere.push_back(std::string(kBoundary) + "(?:" + alternatives(words) + ')');
  }
  return alternatives(anywhere);
}

std::optional<std::string> find_any(std::string_view text, const LeakMarks& marks, bool error) {
  auto found = marks.anywhere.find(text);
  return found || !error ? found : marks.in_errors.find(text);
}

RuleViolation leak(std::string place, std::string_view found) {
  std::string shown = spec::text::one_line(found, spec::text::kMaxQuotedCharacters);
  shown.erase(0, std::min(shown.find_first_not_of(' '), shown.size()));
  return {"error/leak", std::move(place), "must not show internals of the server",
          "shows \"" + shown + '"'};
}

// The first text of the response in which `find` finds something: headers, and the body of an
// error.
RuleViolations search(const client::Exchange& exchange, const auto& find) {
  for (const auto& [name, value] : exchange.response.headers.lines()) {
    if (const auto found = find(std::string_view(value))) {
      return {leak("header/" + name, *found)};
    }
  }
  const auto body = std::string_view(exchange.response.body).substr(0, kLooked);
  std::vector<std::string> texts;
  if (exchange.status() >= 400) {
    texts.emplace_back(body);
    // The strings of JSON, unescaped: marks may hold line breaks and quotes.
    if (const auto value = spec::json::read(body)) {
      gather_texts(value.value(), texts);
    }
  }
  for (const auto& text : texts) {
    if (const auto found = find(std::string_view(text))) {
      return {leak("body", *found)};
    }
  }
  return {};
}

}  // namespace

LeakPatterns::LeakPatterns(const std::vector<std::string>& patterns) {
  if (!patterns.empty()) {
    auto any = spec::schema::patterns::Pattern::compile(as_one(patterns));
    assert(any);
    any_ = std::make_shared<const spec::schema::patterns::Pattern>(std::move(*any));
  }
}

std::optional<std::string> LeakPatterns::find(std::string_view text) const {
  const std::string readable = spec::text::is_utf8(text) ? "" : spec::text::as_utf8(text);
  const auto found = any_ ? any_->find(readable.empty() ? text : readable) : std::nullopt;
  return found ? std::optional(std::string(*found)) : std::nullopt;
}

RuleViolations check_leaks(const LeakMarks& marks, const client::Exchange& exchange) {
  const bool error = exchange.status() >= 400;
  auto violations =
      search(exchange, [&](std::string_view text) { return find_any(text, marks, error); });
  if (error && violations.empty()) {
    violations =
        search(exchange, [&marks](std::string_view text) { return marks.of_parsers.find(text); });
    for (auto& violation : violations) {
      violation.severity = Severity::kNote;
    }
  }
  return violations;
}

RuleViolations check_leaks(const LeakMarks& marks, const std::vector<std::string>& unknown_texts) {
  std::size_t left = kLooked;
  for (const auto& text : unknown_texts) {
    if (const auto found = find_any(std::string_view(text).substr(0, left), marks, false)) {
      return {leak("body", *found)};
    }
    left -= std::min(left, text.size());
  }
  return {};
}

}  // namespace contract_tests::checks
