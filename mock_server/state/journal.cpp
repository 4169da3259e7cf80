#include "mock_server/state/journal.hpp"

#include "spec/text/ascii.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdint>
#include <cstring>
#include <memory>
#include <random>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace mock_server::state {

std::uint64_t secret_mark(std::string_view value) {
  static const std::array<std::uint64_t, 2> kKey = [] {
    std::random_device device;
    std::uniform_int_distribution<std::uint64_t> any;
    return std::array{any(device), any(device) | 1U};
  }();
  std::uint64_t mark = (std::hash<std::string_view>{}(value) ^ kKey[0]) * kKey[1];
  mark = (mark ^ (mark >> 32U)) * kKey[1];
  return mark ^ (mark >> 29U);
}

// Not what comes while it looks: a busy mock would never be done.
void Journal::each(std::uint64_t session, const std::function<void(Entry&)>& visit) const {
  const std::uint64_t end = mark(std::nullopt, std::nullopt).place;
  JournalMark at;
  follow(session, at, [&](Entry& entry) {
    visit(entry);
    return at.place < end;
  });
}

namespace {

// An entry takes at most this share of the journal, so that one huge body does not empty it.
constexpr std::size_t kBodyShare = 16;

using spec::http::Headers;

// The stored value of a field: the visible part, and a replacement for the rest.
struct StoredValue {
  std::string_view first;
  std::string_view second;
};

bool is_one_of(std::string_view name, std::span<const std::string> names) {
  return std::ranges::any_of(
      names, [&](const std::string& one) { return spec::text::equals_ignoring_case(name, one); });
}

StoredValue stored_value(std::string_view name, std::string_view value,
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

// Lengths first, bytes after, into memory that has room for them; read back in the same order by
// Reader.
class Writer {
 public:
  explicit Writer(char* at) : at_(at) {}

  template <typename T>
  void number(T value) {
    put({reinterpret_cast<const char*>(&value), sizeof value});
  }

  // Two pieces are read back as one text.
  void text(std::string_view first, std::string_view second = {}) {
    number(static_cast<std::uint32_t>(first.size() + second.size()));
    put(first);
    put(second);
  }

  void headers(const Headers& headers, std::span<const std::string> hidden) {
    number(static_cast<std::uint32_t>(headers.lines().size()));
    for (const auto& [name, value] : headers.lines()) {
      const StoredValue shown = stored_value(name, value, hidden);
      text(name);
      text(shown.first, shown.second);
      number(static_cast<std::uint8_t>(shown.second.empty() ? 0 : 1));
      if (!shown.second.empty()) {
        number(secret_mark(value));
      }
    }
  }

  char* end() const { return at_; }

 private:
  void put(std::string_view bytes) { at_ = std::copy(bytes.begin(), bytes.end(), at_); }

  char* at_;
};

// The max size of a list of fields.
std::size_t max_size_of(const Headers& headers) {
  constexpr std::size_t kNumbers = 32;  // of a field
  std::size_t size = kNumbers;
  for (const auto& [name, value] : headers.lines()) {
    size += name.size() + value.size() + kHidden.size() + kNumbers;
  }
  return size;
}

// Reads the bytes; if they end too early, everything from there on is empty.
class Reader {
 public:
  explicit Reader(std::string_view rest) : rest_(rest) {}

  // Everything was there, and nothing is left.
  bool is_over() const { return is_whole_ && rest_.empty(); }

  template <typename T>
  T number() {
    T value{};
    if (const std::string_view bytes = bytes_of(sizeof value); !bytes.empty()) {
      std::memcpy(&value, bytes.data(), sizeof value);
    }
    return value;
  }

  std::string text() { return std::string(bytes_of(number<std::uint32_t>())); }

  Headers headers(std::vector<HiddenField>& hidden) {
    Headers headers;
    for (auto left = number<std::uint32_t>(); left > 0 && is_whole_; --left) {
      const std::string name = text();
      std::string value = text();
      if (number<std::uint8_t>() != 0) {
        hidden.push_back({name, number<std::uint64_t>()});
      }
      headers.add(name, std::move(value));
    }
    return headers;
  }

 private:
  std::string_view bytes_of(std::size_t size) {
    is_whole_ = is_whole_ && size <= rest_.size();
    const std::string_view bytes = is_whole_ ? rest_.substr(0, size) : std::string_view();
    rest_.remove_prefix(bytes.size());
    return bytes;
  }

  std::string_view rest_;
  bool is_whole_ = true;
};

}  // namespace

std::size_t max_body_bytes(std::size_t limit) {
  return limit / kBodyShare;
}

std::string write_entry(const Exchange& exchange, std::size_t limit) {
  constexpr std::size_t kNumbers = 256;  // beside texts and fields
  const auto cut = [most = max_body_bytes(limit)](std::string_view body) {
    return body.substr(0, most);
  };
  const spec::http::Request& request = *exchange.request;
  const spec::http::Response& response = *exchange.response;
  const std::array<std::string_view, 8> texts{
      exchange.peer,
      exchange.operation,
      exchange.chosen_by,
      exchange.violations,
      exchange.response_violations,
      exchange.fault,
      request.method,
      exchange.target.empty() ? std::string_view(request.target) : exchange.target};
  const std::string_view request_body = cut(request.body);
  const std::string_view response_body = cut(response.body);
  std::size_t most = kNumbers + max_size_of(request.headers) + request_body.size() +
                     response.reason.size() + max_size_of(response.headers) + response_body.size();
  for (const std::string_view text : texts) {
    most += text.size();
  }
  // Most entries are written on the stack; the journal then allocates what they take, and no more.
  std::array<char, 4096> near;
  std::unique_ptr<char[]> far;
  if (most > near.size()) {
    far = std::make_unique_for_overwrite<char[]>(most);
  }
  char* const begin = far ? far.get() : near.data();
  Writer out(begin);
  out.number(exchange.id);
  out.number(exchange.session);
  out.number(static_cast<std::int64_t>(exchange.time.time_since_epoch().count()));
  out.number(static_cast<std::int64_t>(exchange.took.count()));
  out.number(std::max<std::uint64_t>(request.body.size(), exchange.request_body_bytes));
  out.number(std::max<std::uint64_t>(response.body.size(), exchange.response_body_bytes));
  out.number(static_cast<std::int32_t>(response.status));
  for (const std::string_view text : texts) {
    out.text(text);
  }
  out.headers(request.headers, exchange.hidden_fields);
  out.text(request_body);
  out.text(response.reason);
  out.headers(response.headers, {});
  out.text(response_body);
  return std::string(begin, out.end());
}

std::optional<Entry> read_entry(std::string_view bytes) {
  Reader in(bytes);
  Entry entry;
  entry.id = in.number<std::uint64_t>();
  entry.session = in.number<std::uint64_t>();
  entry.time = TimePoint(std::chrono::microseconds(in.number<std::int64_t>()));
  entry.took = std::chrono::nanoseconds(in.number<std::int64_t>());
  entry.request_body_bytes = in.number<std::uint64_t>();
  entry.response_body_bytes = in.number<std::uint64_t>();
  entry.response.status = in.number<std::int32_t>();
  for (std::string* text :
       {&entry.peer, &entry.operation, &entry.chosen_by, &entry.violations,
        &entry.response_violations, &entry.fault, &entry.request.method, &entry.request.target}) {
    *text = in.text();
  }
  entry.request.headers = in.headers(entry.hidden);
  entry.request.body = in.text();
  entry.response.reason = in.text();
  std::vector<HiddenField> none;
  entry.response.headers = in.headers(none);
  entry.response.body = in.text();
  return in.is_over() ? std::optional(std::move(entry)) : std::nullopt;
}

}  // namespace mock_server::state
