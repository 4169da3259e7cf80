#include "mock_server/transport/tests/support/streams.hpp"

#include <array>
#include <cstddef>
#include <string_view>

namespace mock_server::transport::testing {

namespace {

class Generator {
 public:
  explicit Generator(std::uint64_t seed) : state_(seed * 0x9e3779b97f4a7c15ULL + 1) {}

  std::uint64_t below(std::uint64_t limit) {
    state_ ^= state_ << 13U;
    state_ ^= state_ >> 7U;
    state_ ^= state_ << 17U;
    return (state_ >> 11U) % limit;
  }

  bool one_in(std::uint64_t count) { return below(count) == 0; }

  template <std::size_t size>
  std::string_view any_of(const std::array<std::string_view, size>& choices) {
    return choices.at(below(size));
  }

 private:
  std::uint64_t state_;
};

constexpr std::array<std::string_view, 8> kMethods = {"GET",    "GET",     "POST",  "PUT",
                                                      "DELETE", "OPTIONS", "PATCH", "BREW"};
constexpr std::array<std::string_view, 12> kTargets = {
    "/",        "/a",         "/a/b?c=d",     "/a%20b",      "/%41?x=%2F",   "/a//b/../c",
    "/a?b=c&d", "/;p=1?q=[]", "http://a/b?c", "http://a.b/", "/~x(y)*!$&'+", "/a?b={c}|d"};
constexpr std::array<std::string_view, 8> kOddTargets = {"*",    "a",     "/a b", "/%zz",
                                                         "/a#b", "/a\\b", "//",   "/%00"};
constexpr std::array<std::string_view, 12> kFields = {"X: y",
                                                      "X:y",
                                                      "X: \t y \t",
                                                      "X:",
                                                      "Accept: */*",
                                                      "Cookie: a=b; c",
                                                      "X-Y_Z: a, b, c",
                                                      "Connection: keep-alive",
                                                      "User-Agent: t/1 (x)",
                                                      "X: caf\xc3\xa9",
                                                      "Content-Type: a/b",
                                                      "Range: bytes=0-1"};
constexpr std::array<std::string_view, 14> kOddFields = {"X : y",
                                                         " X: y",
                                                         "X",
                                                         ": y",
                                                         "X(1): y",
                                                         "Host: b",
                                                         "X: a\x01",
                                                         "Content-Length: 3",
                                                         "Content-Length: +3",
                                                         "Content-Length: 0x3",
                                                         "Transfer-Encoding: gzip",
                                                         "X: a\n Y: b",
                                                         "Transfer-Encoding: identity",
                                                         "Expect: 100-continue"};
constexpr std::array<std::string_view, 8> kBodies = {
    "",     "b",         "hello",           "GET / HTTP/1.1\r\nHost: x\r\n\r\n",
    "\r\n", "0\r\n\r\n", "{\"a\":[1,2,3]}", "0123456789abcdef0123456789abcdef"};
constexpr std::array<std::string_view, 6> kVersions = {"HTTP/1.1", "HTTP/1.1", "HTTP/1.1",
                                                       "HTTP/1.1", "HTTP/1.1", "HTTP/1.0"};
constexpr std::array<std::string_view, 6> kOddVersions = {"HTTP/1.2", "HTTP/2.0",  "http/1.1",
                                                          "HTTP/1",   "HTTP/1.1 ", "HTTP/01.1"};
constexpr std::array<std::string_view, 5> kExtensions = {"", "", ";a", ";a=b", ";a=\"b c\""};
constexpr std::string_view kOddBytes("\r\n \t:;,\0\x01\x7f\xff/0aZ\"", 16);

std::string hexadecimal(std::size_t number) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  std::string text;
  do {
    text.insert(text.begin(), kDigits[number % 16]);
    number /= 16;
  } while (number > 0);
  return text;
}

std::string in_chunks(Generator& random, std::string_view body) {
  std::string chunks;
  while (!body.empty()) {
    const std::size_t size = 1 + random.below(body.size());
    chunks += hexadecimal(size) + std::string(random.any_of(kExtensions)) + "\r\n";
    chunks.append(body.substr(0, size)).append("\r\n");
    body.remove_prefix(size);
  }
  return chunks + (random.one_in(4) ? "0\r\nX-Trailer: y\r\n\r\n" : "0\r\n\r\n");
}

std::string request(Generator& random, bool may_be_odd) {
  const bool odd = may_be_odd && random.one_in(3);
  const std::string_view version =
      odd && random.one_in(4) ? random.any_of(kOddVersions) : random.any_of(kVersions);
  std::string text(random.any_of(kMethods));
  text += " ";
  text += odd && random.one_in(4) ? random.any_of(kOddTargets) : random.any_of(kTargets);
  text.append(" ").append(version).append("\r\n");
  if (!odd || !random.one_in(8)) {
    text += "Host: a\r\n";
  }
  for (std::uint64_t count = random.below(4); count > 0; --count) {
    const std::string_view field = random.any_of(kFields);
    // An echo of nginx to HTTP/1.0 has no length and so ends the connection in any case.
    text.append(version == "HTTP/1.0" && field.starts_with("Connection") ? "X: y" : field);
    text.append("\r\n");
  }
  if (odd && random.one_in(2)) {
    text.append(random.any_of(kOddFields)).append("\r\n");
  }
  const std::string_view body = random.any_of(kBodies);
  if (version == "HTTP/1.1" && random.one_in(3)) {
    text += "Transfer-Encoding: chunked\r\n\r\n" + in_chunks(random, body);
  } else if (!body.empty()) {
    text += "Content-Length: " + std::to_string(body.size()) + "\r\n\r\n" + std::string(body);
  } else {
    text += "\r\n";
  }
  return text;
}

// One byte put in, taken out or changed.
void damage(Generator& random, std::string& stream) {
  const std::size_t place = random.below(stream.size());
  const char byte = kOddBytes[random.below(kOddBytes.size())];
  switch (random.below(3)) {
    case 0: stream.insert(stream.begin() + static_cast<std::ptrdiff_t>(place), byte); break;
    case 1: stream.erase(place, 1); break;
    default: stream[place] = byte; break;
  }
}

}  // namespace

std::string generated_stream(std::uint64_t seed) {
  Generator random(seed);
  const bool is_damaged = random.one_in(4);
  std::string stream;
  for (std::uint64_t count = 1 + random.below(3); count > 0; --count) {
    stream += request(random, !is_damaged);
  }
  if (is_damaged) {
    damage(random, stream);
  }
  return stream;
}

}  // namespace mock_server::transport::testing
