#include "mock_server/state/entry_bytes.hpp"

#include "spec/text/ascii.hpp"

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstring>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace mock_server::state {
namespace {

// An entry takes at most this share of the journal, so that one huge body does not empty it.
constexpr std::size_t kBodyShare = 16;

using spec::http::Headers;

// The stored value of a field: the visible part, and a replacement for the rest.
struct Shown {
  std::string_view first;
  std::string_view second;
};

bool is_one_of(std::string_view name, std::span<const std::string> names) {
  return std::ranges::any_of(
      names, [&](const std::string& one) { return spec::text::equals_ignoring_case(name, one); });
}

Shown shown_value(std::string_view name, std::string_view value,
                  std::span<const std::string> hidden) {
  using spec::text::equals_ignoring_case;
  if (equals_ignoring_case(name, "Authorization") ||
      equals_ignoring_case(name, "Proxy-Authorization")) {
    const std::size_t blank = value.find(' ');
    return {value.substr(0, blank == std::string_view::npos ? 0 : blank + 1), kHidden};
  }
  if (equals_ignoring_case(name, "X-Counterpart-Control-Token") || is_one_of(name, hidden)) {
    return {{}, kHidden};
  }
  return {value, {}};
}

// Lengths first, bytes after; read back in the same order by Reader.
class Writer {
 public:
  explicit Writer(char* at) : at_(at) {}

  const char* end() const { return at_; }

  template <typename T>
  void number(T value) {
    std::memcpy(at_, &value, sizeof value);
    at_ += sizeof value;
  }

  void text(std::string_view text) {
    number(static_cast<std::uint32_t>(text.size()));
    if (!text.empty()) {
      std::memcpy(at_, text.data(), text.size());
      at_ += text.size();
    }
  }

  // Two pieces that are read back as one text.
  void text(std::string_view first, std::string_view second) {
    number(static_cast<std::uint32_t>(first.size() + second.size()));
    for (const std::string_view piece : {first, second}) {
      if (!piece.empty()) {
        std::memcpy(at_, piece.data(), piece.size());
        at_ += piece.size();
      }
    }
  }

  void headers(const Headers& headers, std::span<const std::string> hidden) {
    number(static_cast<std::uint32_t>(headers.lines().size()));
    for (const auto& [name, value] : headers.lines()) {
      const Shown shown = shown_value(name, value, hidden);
      text(name);
      text(shown.first, shown.second);
      number(static_cast<std::uint8_t>(shown.second.empty() ? 0 : 1));
      if (!shown.second.empty()) {
        number(secret_mark(value));
      }
    }
  }

 private:
  char* at_;
};

class Reader {
 public:
  explicit Reader(const char* at) : at_(at) {}

  template <typename T>
  T number() {
    T value{};
    std::memcpy(&value, at_, sizeof value);
    at_ += sizeof value;
    return value;
  }

  std::string text() {
    const auto size = number<std::uint32_t>();
    std::string text(at_, size);
    at_ += size;
    return text;
  }

  Headers headers(std::vector<HiddenField>& hidden) {
    Headers headers;
    for (auto left = number<std::uint32_t>(); left > 0; --left) {
      std::string name = text();
      std::string value = text();
      if (number<std::uint8_t>() != 0) {
        hidden.push_back({name, number<std::uint64_t>()});
      }
      headers.add(std::move(name), std::move(value));
    }
    return headers;
  }

 private:
  const char* at_;
};

constexpr std::size_t kLength = sizeof(std::uint32_t);

std::size_t size_of(std::string_view text) {
  return kLength + text.size();
}

// As if every value might be hidden: which are, is found out when they are written.
std::size_t most_size_of(const Headers& headers) {
  std::size_t size = kLength;
  for (const auto& [name, value] : headers.lines()) {
    size += size_of(name) + size_of(value) + kHidden.size() + sizeof(std::uint8_t) +
            sizeof(std::uint64_t);
  }
  return size;
}

std::string_view target_of(const Exchange& exchange) {
  return exchange.target.empty() ? std::string_view(exchange.request->target) : exchange.target;
}

// Walks over an entry as write_entry() makes it.
class Checker {
 public:
  explicit Checker(std::string_view rest) : rest_(rest) {}

  bool is_entry() {
    constexpr std::size_t kNumbers = 6 * sizeof(std::uint64_t) + sizeof(std::int32_t);
    constexpr int kTexts = 8;
    return skip(kNumbers) && texts(kTexts) && fields() && texts(2) && fields() && texts(1) &&
           rest_.empty();
  }

 private:
  bool skip(std::size_t size) {
    const bool fits = size <= rest_.size();
    rest_.remove_prefix(fits ? size : 0);
    return fits;
  }

  std::optional<std::uint32_t> length() {
    std::uint32_t value = 0;
    if (rest_.size() < sizeof value) {
      return std::nullopt;
    }
    std::memcpy(&value, rest_.data(), sizeof value);
    rest_.remove_prefix(sizeof value);
    return value;
  }

  bool texts(int count) {
    for (; count > 0; --count) {
      const auto size = length();
      if (!size || !skip(*size)) {
        return false;
      }
    }
    return true;
  }

  bool fields() {
    const auto count = length();
    for (std::uint32_t at = 0; count && at < *count; ++at) {
      if (!texts(2) || rest_.empty()) {
        return false;
      }
      const bool is_hidden = rest_.front() != 0;
      if (!skip(1) || (is_hidden && !skip(sizeof(std::uint64_t)))) {
        return false;
      }
    }
    return count.has_value();
  }

  std::string_view rest_;
};

}  // namespace

CutBodies cut_bodies(const Exchange& exchange, std::size_t limit) {
  const std::size_t share = limit / kBodyShare;
  return {std::string_view(exchange.request->body).substr(0, share),
          std::string_view(exchange.response->body).substr(0, share)};
}

std::size_t most_size_of(const Exchange& exchange, const CutBodies& cut) {
  return 6 * sizeof(std::uint64_t) + sizeof(std::int32_t) + size_of(exchange.peer) +
         size_of(exchange.operation) + size_of(exchange.chosen_by) + size_of(exchange.violations) +
         size_of(exchange.broken) + size_of(exchange.fault) + size_of(exchange.request->method) +
         size_of(target_of(exchange)) + most_size_of(exchange.request->headers) +
         size_of(cut.request_body) + size_of(exchange.response->reason) +
         most_size_of(exchange.response->headers) + size_of(cut.response_body);
}

const char* write_entry(const Exchange& exchange, const CutBodies& cut, char* at) {
  Writer out(at);
  out.number(exchange.id);
  out.number(exchange.session);
  out.number(static_cast<std::int64_t>(exchange.time.time_since_epoch().count()));
  out.number(static_cast<std::int64_t>(exchange.took.count()));
  out.number(std::max<std::uint64_t>(exchange.request->body.size(), exchange.request_body_bytes));
  out.number(std::max<std::uint64_t>(exchange.response->body.size(), exchange.response_body_bytes));
  out.number(static_cast<std::int32_t>(exchange.response->status));
  for (const std::string_view text :
       {exchange.peer, exchange.operation, exchange.chosen_by, exchange.violations, exchange.broken,
        exchange.fault, std::string_view(exchange.request->method), target_of(exchange)}) {
    out.text(text);
  }
  out.headers(exchange.request->headers, exchange.hidden_fields);
  out.text(cut.request_body);
  out.text(exchange.response->reason);
  out.headers(exchange.response->headers, {});
  out.text(cut.response_body);
  return out.end();
}

Entry read_entry(const char* at) {
  Reader in(at);
  Entry entry;
  entry.id = in.number<std::uint64_t>();
  entry.session = in.number<std::uint64_t>();
  entry.time = TimePoint(std::chrono::microseconds(in.number<std::int64_t>()));
  entry.took = std::chrono::nanoseconds(in.number<std::int64_t>());
  entry.request_body_bytes = in.number<std::uint64_t>();
  entry.response_body_bytes = in.number<std::uint64_t>();
  entry.response.status = in.number<std::int32_t>();
  for (std::string* text :
       {&entry.peer, &entry.operation, &entry.chosen_by, &entry.violations, &entry.broken,
        &entry.fault, &entry.request.method, &entry.request.target}) {
    *text = in.text();
  }
  entry.request.headers = in.headers(entry.hidden);
  entry.request.body = in.text();
  entry.response.reason = in.text();
  std::vector<HiddenField> none;
  entry.response.headers = in.headers(none);
  entry.response.body = in.text();
  return entry;
}

bool is_entry(std::string_view bytes) {
  return Checker(bytes).is_entry();
}

}  // namespace mock_server::state
