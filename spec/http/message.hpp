#pragma once

// HTTP messages as plain values, without sockets or framing. Both programs and the validator use
// them; request_parser and response_parser read them from bytes, media_type reads their types.

#include "spec/http/method.hpp"

#include <algorithm>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace spec::http {

// Field lines in the order in which they came, names as written, values without surrounding blanks.
// Look-ups ignore case (RFC 9110 §5.1).
class Headers {
 public:
  using Line = std::pair<std::string, std::string>;

  Headers() = default;

  Headers(std::initializer_list<Line> lines) : lines_(lines) {}

  ~Headers() = default;

  // Makes room as add() does, for lines that are added to a copy.
  Headers(const Headers& other) {
    if (!other.empty()) {
      lines_.reserve(std::max(other.lines_.size(), kUsualLines));
      lines_ = other.lines_;
    }
  }

  Headers(Headers&&) = default;
  Headers& operator=(const Headers&) = default;
  Headers& operator=(Headers&&) = default;

  // The first value of `name`.
  std::optional<std::string_view> find(std::string_view name) const;
  // Every value of `name`, in order.
  std::vector<std::string_view> all(std::string_view name) const;

  bool has(std::string_view name) const { return find(name).has_value(); }

  // `name` must not be part of a line. Makes room for the lines of most messages at once.
  void add(std::string_view name, std::string value) {
    if (lines_.capacity() < kUsualLines) {
      lines_.reserve(kUsualLines);
    }
    lines_.emplace_back(name, std::move(value));
  }

  // Replaces every line of `name` by one.
  void set(std::string_view name, std::string value);
  void remove(std::string_view name);

  const std::vector<Line>& lines() const { return lines_; }

  bool empty() const { return lines_.empty(); }

  friend bool operator==(const Headers&, const Headers&) = default;

 private:
  static constexpr std::size_t kUsualLines = 8;

  std::vector<Line> lines_;
};

// `target` is the request target as sent ("/a%2Fb?x=1"), not decoded. `body` is the content after
// transfer and content codings were taken off.
struct Request {
  std::string method;
  std::string target;
  Headers headers;
  std::string body;
};

struct Response {
  int status = 200;
  std::string reason;  // "": the usual phrase
  Headers headers;
  std::string body;
};

// True if responses with the status never have a body. Source: RFC 9110 §6.4.1.
constexpr bool is_bodiless(int status) {
  return status / 100 == 1 || status == 204 || status == 304;
}

// True if responses with the status may have a Content-Length. Source: RFC 9110 §8.6.
constexpr bool may_have_length(int status) {
  return status / 100 != 1 && status != 204;
}

// The part of a target before "?", and after it ("" if there is none), both still encoded.
std::string_view path_of(std::string_view target);
std::string_view query_of(std::string_view target);

// Removes the first segment, still encoded, from a path that starts with "/", and returns it: "a"
// of "/a/b", which is "/b" then.
inline std::string_view take_segment(std::string_view& path) {
  const std::string_view segment = path.substr(1, std::min(path.find('/', 1), path.size()) - 1);
  path.remove_prefix(1 + segment.size());
  return segment;
}

// The segments of a path, still encoded: "a" and "" of "/a/"; none if it does not start with "/".
std::vector<std::string_view> segments_of(std::string_view path);

// True for a request that a browser sent on its own to learn whether a page may send another.
// Source: Fetch, "CORS-preflight request".
bool is_preflight(const Request& request);

// The usual reason phrase of a status; "" for one that RFC 9110 §15 does not name.
std::string_view reason_phrase(int status);

}  // namespace spec::http
