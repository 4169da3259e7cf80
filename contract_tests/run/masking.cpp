#include "contract_tests/run/masking.hpp"

#include "contract_tests/plan/derived.hpp"
#include "spec/http/message.hpp"

#include <algorithm>
#include <array>
#include <string_view>

namespace contract_tests::run {

using client::Exchange;
using spec::http::AnswerHead;
using spec::http::FieldLine;

namespace {

constexpr std::size_t kShownBody = 16U * 1024;
constexpr std::size_t kShownLine = 2'000;
constexpr std::size_t kShownLines = 100;
constexpr std::size_t kShownInterim = 5;
constexpr std::string_view kMask = "$TOKEN";

// Every place where at least the first half of `secret` stands, and as much more of it as follows.
void mask_one(std::string& text, std::string_view secret) {
  const auto start = secret.substr(0, telling_part(secret.size()));
  for (auto at = text.find(start); at != std::string::npos; at = text.find(start, at)) {
    auto size = start.size();
    while (size < secret.size() && at + size < text.size() && text[at + size] == secret[size]) {
      ++size;
    }
    text.replace(at, size, kMask);
    at += kMask.size();
  }
}

bool is_word(char letter) {
  return (letter >= '0' && letter <= '9') || (letter >= 'a' && letter <= 'z') ||
         (letter >= 'A' && letter <= 'Z') || letter == '_';
}

bool is_word_of_its_own(std::string_view text, std::size_t at, std::size_t size) {
  const auto end = at + size;
  return (at == 0 || !is_word(text[at - 1])) && (end == text.size() || !is_word(text[end]));
}

// Behind the name of a scheme and a blank, or behind the "=" of a query or a cookie.
bool stands_as_secret(std::string_view text, std::size_t at) {
  const auto before = text.substr(0, at);
  if (before.ends_with('=')) {
    return true;
  }
  constexpr std::array<std::string_view, 3> kSchemes{"bearer ", "basic ", "digest "};
  return std::ranges::any_of(kSchemes, [before](std::string_view scheme) {
    return before.size() >= scheme.size() &&
           spec::http::equals_ignoring_case(before.substr(before.size() - scheme.size()), scheme);
  });
}

// The next place at or behind `from` where `secret` stands as one; npos when there is none.
std::size_t find_secret(std::string_view text, std::string_view secret, std::size_t from) {
  const bool telling = is_telling(secret);
  for (auto at = text.find(secret, from); at != std::string_view::npos;
       at = text.find(secret, at + 1)) {
    if (is_word_of_its_own(text, at, secret.size()) && (telling || stands_as_secret(text, at))) {
      return at;
    }
  }
  return std::string_view::npos;
}

void mask_plain_word(std::string& text, std::string_view secret) {
  for (auto at = find_secret(text, secret, 0); at != std::string::npos;
       at = find_secret(text, secret, at + kMask.size())) {
    text.replace(at, secret.size(), kMask);
  }
}

void mask_wherever(std::string& text, std::string_view secret) {
  for (auto at = text.find(secret); !secret.empty() && at != std::string::npos;
       at = text.find(secret, at + kMask.size())) {
    text.replace(at, secret.size(), kMask);
  }
}

std::string shown_line(const Settings& settings, const std::string& line) {
  auto text = masked(settings, line.substr(0, 2 * kShownLine));
  if (text.size() > kShownLine) {
    text.resize(kShownLine);
    text += "...";
  }
  return text;
}

AnswerHead shown_head(const Settings& settings, const AnswerHead& head) {
  AnswerHead copy;
  copy.status_line = shown_line(settings, head.status_line);
  copy.status = head.status;
  copy.minor_version = head.minor_version;
  for (const auto& line : head.lines) {
    if (copy.lines.size() == kShownLines) {
      const auto left = std::to_string(head.lines.size() - kShownLines);
      copy.lines.push_back({"... and " + left + " more lines", "", ""});
      break;
    }
    copy.lines.push_back({shown_line(settings, line.raw), line.name, ""});
  }
  return copy;
}

std::string shown_body(const Settings& settings, const std::string& body) {
  auto text = masked(settings, body.substr(0, 2 * kShownBody));
  text.resize(std::min(text.size(), kShownBody));
  return text;
}

}  // namespace

std::optional<std::string> shown_secret(const Settings& settings, std::string_view text) {
  const auto& secrets = settings.secrets;
  const bool plainly = std::ranges::any_of(secrets.words(), [text](const std::string& secret) {
    return !secret.empty() && find_secret(text, secret, 0) != std::string_view::npos;
  });
  if (plainly) {
    return "";
  }
  const auto spot = secrets.find_spelt(text, 0, false);
  return spot ? std::optional(std::string(spot->how)) : std::nullopt;
}

std::string masked(const Settings& settings, std::string text) {
  const auto& secrets = settings.secrets;
  for (const auto& secret : secrets.words()) {
    if (secret.empty()) {
      continue;
    }
    for (const auto& form : {secret, plan::other_case(secret)}) {
      if (is_telling(secret)) {
        mask_one(text, form);
      } else {
        mask_plain_word(text, form);
      }
    }
  }
  for (auto spot = secrets.find_spelt(text, 0, true); spot;
       spot = secrets.find_spelt(text, spot->at + kMask.size(), true)) {
    text.replace(spot->at, spot->size, kMask);
  }
  return text;
}

Exchange masked_request(const Settings& settings, const Exchange& exchange) {
  Exchange copy;
  copy.sent.method = exchange.sent.method;
  copy.sent.target = masked(settings, exchange.sent.target);
  copy.sent.body = masked(settings, exchange.sent.body);
  for (const auto& [name, value] : exchange.sent.headers.lines()) {
    auto shown = masked(settings, value);
    if (spec::http::equals_ignoring_case(name, "Authorization")) {
      for (const auto& secret : settings.secrets.words()) {
        mask_wherever(shown, secret);
      }
    }
    copy.sent.headers.add(name, std::move(shown));
  }
  copy.url = masked(settings, exchange.url);
  return copy;
}

Exchange masked_exchange(const Settings& settings, const Exchange& exchange) {
  auto copy = masked_request(settings, exchange);
  const auto& heard = exchange.record;
  copy.record.head = shown_head(settings, heard.head);
  for (const auto& head : heard.interim) {
    if (copy.record.interim.size() < kShownInterim) {
      copy.record.interim.push_back(shown_head(settings, head));
    }
  }
  for (const auto& line : heard.trailers) {
    if (copy.record.trailers.size() < kShownLines) {
      copy.record.trailers.push_back({shown_line(settings, line.raw), line.name, ""});
    }
  }
  copy.record.framing = heard.framing;
  copy.record.declared_length = heard.declared_length;
  copy.record.chunk_count = heard.chunk_count;
  copy.record.surplus = shown_line(settings, heard.surplus);
  copy.record.bytes = heard.bytes;
  copy.response.status = exchange.response.status;
  copy.response.body = shown_body(settings, exchange.response.body);
  copy.body_bytes = exchange.response.body.size();
  copy.continued = exchange.continued;
  copy.reused_connection = exchange.reused_connection;
  copy.ending = exchange.ending;
  copy.failure = masked(settings, exchange.failure);
  copy.timing = exchange.timing;
  return copy;
}

}  // namespace contract_tests::run
