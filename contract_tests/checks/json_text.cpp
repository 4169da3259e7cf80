#include "contract_tests/checks/json_text.hpp"

#include "spec/json/read.hpp"
#include "spec/text/ascii.hpp"
#include "spec/text/charset.hpp"
#include "spec/text/quote.hpp"
#include "spec/text/utf8.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
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

constexpr spec::json::ReadOptions kAnyDepth = {.max_depth =
                                                   std::numeric_limits<std::size_t>::max()};

// Whether nothing but the depth that is read keeps `body` from being JSON: a limit of the reader
// (RFC 8259 §9), no fault of the text.
bool is_only_too_deep(std::string_view body) {
  return !spec::json::read(body) && spec::json::read(body, kAnyDepth);
}

}  // namespace

RuleViolations check_charset(std::string_view body, const spec::http::MediaType& type) {
  const auto charset = type.parameter("charset");
  if (!charset || spec::text::is_utf8_label(*charset) || spec::text::is_ascii(body)) {
    return {};
  }
  return {{"json/charset", "header/Content-Type",
           "must not name another charset than utf-8, because some clients read the content by it",
           "names " + spec::text::in_quotes(*charset)}};
}

RuleViolations check_json_text(std::string_view body, nlohmann::json& value,
                               std::string_view sent) {
  RuleViolations violations;
  if (body.starts_with("\xEF\xBB\xBF")) {
    violations.push_back(
        {"json/bom", "body", "must not start with a byte order mark", "starts with one"});
    body.remove_prefix(3);
  }
  if (const auto encoding = other_encoding(body)) {
    violations.push_back({"json/encoding", "body", "must be UTF-8", "is " + *encoding});
    return violations;
  }
  auto read = spec::json::read(body);
  if (read) {
    value = std::move(read.value());
    return violations;
  }
  const auto deeper = spec::json::read(body, kAnyDepth);
  if (deeper && is_only_too_deep(sent)) {
    return violations;
  }
  const auto& error = deeper ? read.error() : deeper.error();
  const auto at = "byte " + std::to_string(error.byte_offset);
  violations.push_back(error.is_lone_surrogate
                           ? RuleViolation{"json/surrogate", "body",
                                           "must not contain half of a surrogate pair",
                                           "has one at " + at}
                           : RuleViolation{"json/text", "body", "must be valid JSON",
                                           "is not (" + at + ": " + error.message + ')'});
  return violations;
}

}  // namespace contract_tests::checks
