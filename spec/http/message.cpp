#include "spec/http/message.hpp"

#include "spec/text/ascii.hpp"

#include <algorithm>
#include <array>

namespace spec::http {

namespace {

struct Phrase {
  int status;
  std::string_view text;
};

// Source: RFC 9110 §15 and the registry that it names: RFC 2295, 3229, 4918, 5842, 6585, 7725,
// 8297, 8470.
constexpr std::array kPhrases = std::to_array<Phrase>({
    {100, "Continue"},
    {101, "Switching Protocols"},
    {102, "Processing"},
    {103, "Early Hints"},
    {200, "OK"},
    {201, "Created"},
    {202, "Accepted"},
    {203, "Non-Authoritative Information"},
    {204, "No Content"},
    {205, "Reset Content"},
    {206, "Partial Content"},
    {207, "Multi-Status"},
    {208, "Already Reported"},
    {226, "IM Used"},
    {300, "Multiple Choices"},
    {301, "Moved Permanently"},
    {302, "Found"},
    {303, "See Other"},
    {304, "Not Modified"},
    {305, "Use Proxy"},
    {307, "Temporary Redirect"},
    {308, "Permanent Redirect"},
    {400, "Bad Request"},
    {401, "Unauthorized"},
    {402, "Payment Required"},
    {403, "Forbidden"},
    {404, "Not Found"},
    {405, "Method Not Allowed"},
    {406, "Not Acceptable"},
    {407, "Proxy Authentication Required"},
    {408, "Request Timeout"},
    {409, "Conflict"},
    {410, "Gone"},
    {411, "Length Required"},
    {412, "Precondition Failed"},
    {413, "Content Too Large"},
    {414, "URI Too Long"},
    {415, "Unsupported Media Type"},
    {416, "Range Not Satisfiable"},
    {417, "Expectation Failed"},
    {421, "Misdirected Request"},
    {422, "Unprocessable Content"},
    {423, "Locked"},
    {424, "Failed Dependency"},
    {425, "Too Early"},
    {426, "Upgrade Required"},
    {428, "Precondition Required"},
    {429, "Too Many Requests"},
    {431, "Request Header Fields Too Large"},
    {451, "Unavailable For Legal Reasons"},
    {500, "Internal Server Error"},
    {501, "Not Implemented"},
    {502, "Bad Gateway"},
    {503, "Service Unavailable"},
    {504, "Gateway Timeout"},
    {505, "HTTP Version Not Supported"},
    {506, "Variant Also Negotiates"},
    {507, "Insufficient Storage"},
    {508, "Loop Detected"},
    {511, "Network Authentication Required"},
});

}  // namespace

std::optional<std::string_view> Headers::find(std::string_view name) const {
  for (const Line& line : lines_) {
    if (text::equals_ignoring_case(line.first, name)) {
      return line.second;
    }
  }
  return std::nullopt;
}

std::vector<std::string_view> Headers::all(std::string_view name) const {
  std::vector<std::string_view> values;
  for (const Line& line : lines_) {
    if (text::equals_ignoring_case(line.first, name)) {
      values.emplace_back(line.second);
    }
  }
  return values;
}

void Headers::set(std::string_view name, std::string value) {
  const auto is_named = [name](const Line& line) {
    return text::equals_ignoring_case(line.first, name);
  };
  const auto first = std::find_if(lines_.begin(), lines_.end(), is_named);
  if (first == lines_.end()) {
    add(name, std::move(value));
    return;
  }
  first->second = std::move(value);
  lines_.erase(std::remove_if(first + 1, lines_.end(), is_named), lines_.end());
}

void Headers::remove(std::string_view name) {
  std::erase_if(lines_,
                [name](const Line& line) { return text::equals_ignoring_case(line.first, name); });
}

std::string_view path_of(std::string_view target) {
  return target.substr(0, target.find('?'));
}

std::string_view query_of(std::string_view target) {
  const std::size_t mark = target.find('?');
  return mark == std::string_view::npos ? std::string_view() : target.substr(mark + 1);
}

std::vector<std::string_view> segments_of(std::string_view path) {
  std::vector<std::string_view> segments;
  while (path.starts_with('/')) {
    segments.push_back(take_segment(path));
  }
  return segments;
}

bool is_preflight(const Request& request) {
  return request.method == "OPTIONS" && request.headers.has("Origin") &&
         request.headers.has("Access-Control-Request-Method");
}

std::string_view reason_phrase(int status) {
  const auto found =
      std::lower_bound(kPhrases.begin(), kPhrases.end(), status,
                       [](const Phrase& phrase, int wanted) { return phrase.status < wanted; });
  return found != kPhrases.end() && found->status == status ? found->text : std::string_view();
}

}  // namespace spec::http
