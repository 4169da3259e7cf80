#include "contract_tests/checks/json_text.hpp"

#include "spec/json/read.hpp"
#include "spec/text/ascii.hpp"
#include "spec/text/utf8.hpp"

#include <nlohmann/json.hpp>

#include <limits>
#include <optional>

namespace contract_tests::checks {

namespace {

// Which encoding other than UTF-8 the first bytes give away.
std::optional<std::string> other_encoding(std::string_view body) {
  if (body.starts_with("\xFE\xFF") || body.starts_with("\xFF\xFE")) {
    return "UTF-16 with a byte order mark";
  }
  if (body.size() >= 2 && (body[0] == '\0' || body[1] == '\0')) {
    return "UTF-16 or UTF-32";
  }
  if (!spec::text::is_utf8(body)) {
    return "not UTF-8";
  }
  return std::nullopt;
}

std::optional<unsigned> hex4(std::string_view text) {
  unsigned value = 0;
  if (text.size() < 4) {
    return std::nullopt;
  }
  for (const char letter : text.substr(0, 4)) {
    const int digit = spec::text::hex_digit_value(letter);
    if (digit < 0) {
      return std::nullopt;
    }
    value = value * 16 + static_cast<unsigned>(digit);
  }
  return value;
}

bool is_high(unsigned unit) {
  return unit >= 0xD800 && unit <= 0xDBFF;
}

bool is_low(unsigned unit) {
  return unit >= 0xDC00 && unit <= 0xDFFF;
}

// The offset of a \u escape that is half of a pair without the other.
std::optional<std::size_t> lone_surrogate(std::string_view body) {
  for (auto at = body.find('\\'); at != std::string_view::npos; at = body.find('\\', at)) {
    const auto unit = body.substr(at, 2) == "\\u" ? hex4(body.substr(at + 2)) : std::nullopt;
    if (!unit) {
      at += 2;
      continue;
    }
    const auto next = body.substr(at + 6, 2) == "\\u" ? hex4(body.substr(at + 8)) : std::nullopt;
    if (is_high(*unit) && next && is_low(*next)) {
      at += 12;
      continue;
    }
    if (is_high(*unit) || is_low(*unit)) {
      return at;
    }
    at += 6;
  }
  return std::nullopt;
}

// Whether nothing but the depth that is read keeps `body` from being JSON: a limit of the reader
// (RFC 8259 §9), no fault of the text.
bool is_only_too_deep(std::string_view body) {
  constexpr std::size_t kAnyDepth = std::numeric_limits<std::size_t>::max();
  return !spec::json::read(body) && spec::json::read(body, {.max_depth = kAnyDepth});
}

std::string at_byte(std::size_t offset) {
  return " at byte " + std::to_string(offset);
}

}  // namespace

RuleViolations check_json_text(std::string_view body, nlohmann::json& value,
                               std::string_view sent) {
  RuleViolations violations;
  if (body.starts_with("\xEF\xBB\xBF")) {
    violations.push_back(
        {"json/bom", "body", "must not start with a byte order mark, but starts with one"});
    body.remove_prefix(3);
  }
  if (const auto encoding = other_encoding(body)) {
    violations.push_back({"json/encoding", "body", "must be UTF-8, but is " + *encoding});
    return violations;
  }
  if (const auto offset = lone_surrogate(body)) {
    violations.push_back(
        {"json/surrogate", "body",
         "must not contain half of a surrogate pair, but has one" + at_byte(*offset)});
    return violations;
  }
  auto read = spec::json::read(body);
  if (!read && is_only_too_deep(sent) && is_only_too_deep(body)) {
    return violations;
  }
  if (!read) {
    violations.push_back({"json/text", "body",
                          "must be valid JSON, but is not (byte " +
                              std::to_string(read.error().byte_offset) + ": " +
                              read.error().message + ')'});
    return violations;
  }
  value = std::move(read.value());
  return violations;
}

}  // namespace contract_tests::checks
