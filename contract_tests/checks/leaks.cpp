#include "contract_tests/checks/leaks.hpp"

#include "contract_tests/checks/documented.hpp"
#include "spec/json/read.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>

namespace contract_tests::checks {

namespace {

constexpr std::size_t kLooked = 256U * 1024;  // of a body; traces stand at its start
constexpr std::size_t kLongestRun = 200;      // of what {w+} stands for

bool is_digit(char letter) {
  return letter >= '0' && letter <= '9';
}

bool is_word(char letter) {
  return is_digit(letter) || (letter >= 'a' && letter <= 'z') || (letter >= 'A' && letter <= 'Z');
}

bool is_run(char letter) {
  return static_cast<unsigned char>(letter) > ' ' &&
         std::string_view("\"'`()[]/\\,@").find(letter) == std::string_view::npos;
}

// Where the rest of a mark ends when it starts at `at`; nothing when it does not fit there.
std::optional<std::size_t> fit(std::string_view text, std::size_t at, std::string_view mark);

// A run of characters of a kind, as short as the rest of the mark allows.
std::optional<std::size_t> fit_run(std::string_view text, std::size_t at, std::string_view rest,
                                   bool (*is_kind)(char)) {
  for (std::size_t size = 1; size <= kLongestRun && at + size <= text.size(); ++size) {
    if (!is_kind(text[at + size - 1])) {
      return std::nullopt;
    }
    if (const auto end = fit(text, at + size, rest)) {
      return end;
    }
  }
  return std::nullopt;
}

std::optional<std::size_t> fit(std::string_view text, std::size_t at, std::string_view mark) {
  while (!mark.empty()) {
    if (mark.starts_with("{d+}")) {
      return fit_run(text, at, mark.substr(4), &is_digit);
    }
    if (mark.starts_with("{w+}")) {
      return fit_run(text, at, mark.substr(4), &is_run);
    }
    const bool digit = mark.starts_with("{d}");
    if (at >= text.size() || (digit ? !is_digit(text[at]) : text[at] != mark.front())) {
      return std::nullopt;
    }
    mark.remove_prefix(digit ? 3 : 1);
    ++at;
  }
  const bool inside = at > 0 && at < text.size() && is_word(text[at - 1]) && is_word(text[at]);
  return inside ? std::nullopt : std::optional(at);
}

std::optional<std::string_view> find_any(std::string_view text,
                                         const std::vector<std::string>& marks) {
  for (const auto& mark : marks) {
    if (const auto found = find_mark(text, mark)) {
      return found;
    }
  }
  return std::nullopt;
}

std::optional<std::string_view> find_any(std::string_view text, const LeakMarks& marks,
                                         bool error) {
  const auto found = find_any(text, marks.anywhere);
  return found || !error ? found : find_any(text, marks.in_errors);
}

Complaint leak(std::string place, std::string_view found) {
  constexpr std::size_t kShown = 60;
  std::string shown;
  for (const char letter : found.substr(0, kShown)) {
    shown += letter >= ' ' && letter <= '~' ? letter : ' ';
  }
  shown.erase(0, std::min(shown.find_first_not_of(' '), shown.size()));
  return {"error/leak", std::move(place),
          "must not show the insides of the server but shows \"" + shown + '"'};
}

}  // namespace

std::optional<std::string_view> find_mark(std::string_view text, std::string_view mark) {
  const auto plain = mark.substr(0, mark.find('{'));
  for (auto at = text.find(plain); at != std::string_view::npos; at = text.find(plain, at + 1)) {
    const bool inside = at > 0 && is_word(text[at]) && is_word(text[at - 1]);
    const auto end = inside ? std::nullopt : fit(text, at, mark);
    if (end) {
      return text.substr(at, *end - at);
    }
  }
  return std::nullopt;
}

Complaints check_leaks(const LeakMarks& marks, const client::Exchange& exchange) {
  const bool error = exchange.status() >= 400;
  for (const auto& [name, value] : exchange.response.headers.lines()) {
    if (const auto found = find_any(value, marks, error)) {
      return {leak("header/" + name, *found)};
    }
  }
  const auto body = std::string_view(exchange.response.body).substr(0, kLooked);
  if (!error || body.empty()) {
    return {};
  }
  if (const auto found = find_any(body, marks, true)) {
    return {leak("body", *found)};
  }
  // The strings of JSON, unescaped: marks may hold line breaks and quotes.
  std::vector<std::string> texts;
  if (const auto value = spec::json::read(body)) {
    gather_texts(value.value(), texts);
  }
  for (const auto& text : texts) {
    if (const auto found = find_any(text, marks, true)) {
      return {leak("body", *found)};
    }
  }
  return {};
}

Complaints check_leaks(const LeakMarks& marks, const std::vector<std::string>& unknown_texts) {
  for (const auto& text : unknown_texts) {
    if (const auto found = find_any(text, marks, false)) {
      return {leak("body", *found)};
    }
  }
  return {};
}

}  // namespace contract_tests::checks
