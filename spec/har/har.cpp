#include "spec/har/har.hpp"

#include "spec/document/text_file.hpp"
#include "spec/http/bytes.hpp"
#include "spec/http/form.hpp"
#include "spec/http/media_type.hpp"
#include "spec/json/number.hpp"
#include "spec/json/pointer.hpp"
#include "spec/json/read.hpp"
#include "spec/result.hpp"
#include "spec/text/ascii.hpp"
#include "spec/text/encoding.hpp"
#include "spec/text/quote.hpp"
#include "spec/text/utf8.hpp"
#include "spec/time/instant.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>

namespace spec::har {

namespace {

using json::text_at;
namespace fs = std::filesystem;
using Value = nlohmann::json;

constexpr std::int64_t kMaxStatus = 999;

// The number at `pointer`; -1, which HAR has for "not known", if there is none.
std::int64_t number_at(const Value& value, std::string_view pointer) {
  const auto* found = json::find(value, pointer);
  return found != nullptr ? json::to_int64(*found).value_or(-1) : -1;
}

// "name" and "value" of a list; values that are no texts are left out.
std::vector<http::Headers::Line> pairs_of(const Value* list) {
  std::vector<http::Headers::Line> pairs;
  if (list != nullptr && list->is_array()) {
    for (const auto& pair : *list) {
      if (!text_at(pair, "/name").empty()) {
        pairs.emplace_back(text_at(pair, "/name"), text_at(pair, "/value"));
      }
    }
  }
  return pairs;
}

// The headers without pseudo-fields. Source: RFC 9113 §8.3.
http::Headers headers_of(const Value& message) {
  http::Headers headers;
  for (auto& [name, value] : pairs_of(json::find(message, "/headers"))) {
    if (!name.starts_with(':')) {
      headers.add(name, std::move(value));
    }
  }
  return headers;
}

// Splits the URL; false if it is none of HTTP.
bool take_url(std::string_view url, Call& call) {
  const auto colon = url.find("://");
  const auto scheme = text::to_lower(url.substr(0, std::min(colon, url.size())));
  if (colon == std::string_view::npos || (scheme != "http" && scheme != "https")) {
    return false;
  }
  const auto rest = url.substr(colon + 3);
  const auto host = rest.substr(0, rest.find_first_of("/?#"));
  const auto target = rest.substr(host.size(), rest.find('#') - host.size());
  call.url = url;
  // User information before "@" is a credential, and no part of an origin.
  call.origin =
      without_default_port(scheme + "://" + text::to_lower(host.substr(host.rfind('@') + 1)));
  call.request.target = target.starts_with('/') ? std::string(target) : '/' + std::string(target);
  return !host.empty();
}

// A form as it was sent, from its fields; none if it has files.
std::optional<std::string> form_of(const Value& data) {
  const auto* fields = json::find(data, "/params");
  const auto type = http::parse_media_type(text_at(data, "/mimeType"));
  if (fields == nullptr || !type || type->essence() != "application/x-www-form-urlencoded") {
    return std::nullopt;
  }
  std::string form;
  for (const auto& [name, value] : pairs_of(fields)) {
    form +=
        (form.empty() ? "" : "&") + text::percent_encode(name) + '=' + text::percent_encode(value);
  }
  return form;
}

// A file beside the recording, with a raw body, which Playwright writes with `content: "attach"`;
// none if the file is outside of the recording's folder.
std::optional<std::string> attached(const Value& part, const fs::path& folder) {
  const auto name = text_at(part, "/_file");
  if (name.empty() || folder.empty()) {
    return std::nullopt;
  }
  std::error_code error;
  const fs::path inside = fs::weakly_canonical(folder, error);
  const fs::path file = fs::weakly_canonical(folder / name, error);
  const auto rest = file.lexically_relative(inside);
  if (error || rest.empty() || *rest.begin() == "..") {
    return std::nullopt;
  }
  auto text = document::read_file(file);
  return text ? std::optional(std::move(*text)) : std::nullopt;
}

// The body of `part` (postData or content), decoded; none if the file does not have it.
std::optional<std::string> body_of(const Value& part, const fs::path& folder) {
  const auto* found = json::find(part, "/text");
  if (found == nullptr || !found->is_string()) {
    return attached(part, folder);
  }
  const auto& body = found->get_ref<const std::string&>();
  return text_at(part, "/encoding") == "base64" ? text::from_base64(body) : std::optional(body);
}

void take_request_body(const Value& request, const fs::path& folder, Call& call) {
  const auto* data = json::find(request, "/postData");
  if (data == nullptr || !data->is_object()) {
    call.has_request_body = number_at(request, "/bodySize") <= 0;
    return;
  }
  auto body = body_of(*data, folder);
  if (!body || (body->empty() && json::find(*data, "/params/0") != nullptr)) {
    body = form_of(*data);
  }
  const auto bytes = number_at(request, "/bodySize");
  call.has_request_body = body && (bytes < 0 || body->size() >= static_cast<std::size_t>(bytes));
  call.request.body = std::move(body).value_or("");
  if (!call.request.headers.has("Content-Type") && !text_at(*data, "/mimeType").empty()) {
    call.request.headers.add("Content-Type", std::string(text_at(*data, "/mimeType")));
  }
}

bool may_have_body(const Call& call) {
  const int status = call.response->status;
  return call.request.method != "HEAD" && !http::is_bodiless(status) && status >= 200;
}

void take_response(const Value& response, std::int64_t status, const fs::path& folder, Call& call) {
  call.response = http::Response{.status = static_cast<int>(status),
                                 .reason = std::string(text_at(response, "/statusText")),
                                 .headers = headers_of(response),
                                 .body = ""};
  const auto* content = json::find(response, "/content");
  auto body = content == nullptr ? std::nullopt : body_of(*content, folder);
  const auto bytes =
      content == nullptr ? number_at(response, "/bodySize") : number_at(*content, "/size");
  const bool is_whole =
      body ? bytes < 0 || body->size() >= static_cast<std::size_t>(bytes) : bytes == 0;
  call.has_response_body = is_whole || !may_have_body(call);
  call.response->body = std::move(body).value_or("");
}

// The error that recorders write into a call without response.
std::string failure_of(const Value& entry) {
  for (const auto* place : {"/response/_error", "/_error", "/response/comment", "/comment"}) {
    if (!text_at(entry, place).empty()) {
      return std::string(text_at(entry, place));
    }
  }
  return {};
}

// The reason why an entry is no call; `pointer` leads from the entry to the invalid value.
struct EntryError {
  std::string pointer;
  std::string message;
};

// The scheme of an entry's URL that is not HTTP, "wss" or "data"; "" for HTTP or no scheme.
std::string other_scheme(const Value& entry) {
  const auto url = text_at(entry, "/request/url");
  const auto colon = url.find_first_of(":/?#");
  if (colon == std::string_view::npos || url[colon] != ':') {
    return "";
  }
  auto scheme = text::to_lower(url.substr(0, colon));
  return scheme == "http" || scheme == "https" ? "" : scheme;
}

// The call that `entry` records; its index is not set.
Result<Call, EntryError> read_entry(const Value& entry, const fs::path& folder) {
  const auto* request = json::find(entry, "/request");
  const auto* response = json::find(entry, "/response");
  if (request == nullptr || !request->is_object()) {
    return Unexpected{EntryError{"/request", "must have a request"}};
  }
  Call call;
  call.request.method = text_at(*request, "/method");
  if (call.request.method.empty()) {
    return Unexpected{EntryError{"/request/method", "must be the name of a method"}};
  }
  if (!take_url(text_at(*request, "/url"), call)) {
    return Unexpected{EntryError{"/request/url", "must be a URL of http or https, but is " +
                                                     text::in_quotes(text_at(*request, "/url"))}};
  }
  call.request.headers = headers_of(*request);
  take_request_body(*request, folder, call);
  const auto status = response == nullptr ? -1 : number_at(*response, "/status");
  if (status < 0 || status > kMaxStatus) {
    return Unexpected{EntryError{"/response/status", "must be a status, or 0 for no response"}};
  }
  if (status > 0) {
    take_response(*response, status, folder, call);
  } else {
    call.failure = failure_of(entry);
  }
  const auto started = text_at(entry, "/startedDateTime");
  call.started = time::parse_date_time(started) ? std::string(started) : std::string();
  const auto* took = json::find(entry, "/time");
  if (took != nullptr && json::is_number(*took)) {
    call.time_ms = std::max(0.0, json::to_double(*took));
  }
  return call;
}

// Browsers record call stacks, which nest deep.
constexpr std::size_t kMaxDepth = 1'000;
constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";

Problem text_problem(std::string_view text, const std::string& name, const json::ReadError& error) {
  const document::Spot spot = document::Cursor(text).locate(error.byte_offset);
  const bool is_cut =
      text.find_first_not_of(" \t\r\n", error.byte_offset) == std::string_view::npos;
  return {name, spot.line, spot.column, "",
          is_cut ? "the file ends here, in the middle of the recording; it was cut, record it again"
                 : "no JSON: " + error.message};
}

}  // namespace

std::string without_default_port(std::string origin) {
  const auto host = origin.find("://") + 3;
  const auto end = std::min(origin.find('/', host), origin.size());
  const std::string_view port = text::to_lower(origin.substr(0, 6)) == "https:" ? ":443" : ":80";
  if (std::string_view(origin).substr(0, end).ends_with(port)) {
    origin.erase(end - port.size(), port.size());
  }
  return origin;
}

Recording read_har(std::string_view text, const std::string& name, const fs::path& folder) {
  if (text.starts_with("PK\x03\x04")) {
    throw LoadError(name, "a ZIP archive; unpack it, and give the .har file in it");
  }
  if (text.starts_with(kByteOrderMark)) {
    text.remove_prefix(kByteOrderMark.size());
  }
  const auto whole = json::read(text, {.max_depth = kMaxDepth});
  if (!whole) {
    throw LoadError(text_problem(text, name, whole.error()));
  }
  const auto* entries = json::find(*whole, "/log/entries");
  if (entries == nullptr || !entries->is_array()) {
    throw LoadError(Problem{name, 0, 0, "/log/entries",
                            "no HAR: must have a list of calls here; save the calls as HAR 1.2"});
  }
  Recording recording;
  std::map<std::string, std::size_t> others;
  for (std::size_t index = 0; index < entries->size(); ++index) {
    if (auto scheme = other_scheme((*entries)[index]); !scheme.empty()) {
      ++others[scheme];
      continue;
    }
    auto call = read_entry((*entries)[index], folder);
    if (call) {
      call->index = index;
      recording.calls.push_back(std::move(*call));
    } else {
      recording.problems.push_back({name, 0, 0,
                                    "/log/entries/" + std::to_string(index) + call.error().pointer,
                                    call.error().message});
    }
  }
  for (const auto& [scheme, count] : others) {
    recording.problems.push_back({name, 0, 0, "/log/entries",
                                  "left out: " + std::to_string(count) + " calls over " +
                                      text::printable(scheme) + ", which is not HTTP"});
  }
  return recording;
}

Recording read_har_file(const std::filesystem::path& file) {
  const auto text = document::read_file(file);
  if (!text) {
    throw LoadError(Problem{file.string(), 0, 0, "", text.error()});
  }
  return read_har(*text, file.string(), file.has_parent_path() ? file.parent_path() : ".");
}

namespace {

using nlohmann::json;
using text::as_utf8;

json named(std::string_view name, std::string_view value) {
  return {{"name", as_utf8(name)}, {"value", as_utf8(value)}};
}

json fields_of(const http::Headers& headers) {
  json fields = json::array();
  for (const auto& [name, value] : headers.lines()) {
    fields.push_back(named(name, value));
  }
  return fields;
}

json query_of(std::string_view target) {
  json pairs = json::array();
  for (const auto& pair : http::split_form(http::query_of(target))) {
    pairs.push_back(
        named(pair.name, text::percent_decode(pair.value, true).value_or(std::string(pair.value))));
  }
  return pairs;
}

// The cookies of `Set-Cookie` fields, without their attributes.
json cookies_of(const http::Headers& headers, std::string_view name) {
  json cookies = json::array();
  for (const std::string_view line : headers.all(name)) {
    const auto pairs = name == "Cookie" ? line : line.substr(0, line.find(';'));
    for (const auto& pair : http::split_cookies(pairs)) {
      cookies.push_back(named(http::trimmed(pair.name), http::trimmed(pair.value)));
    }
  }
  return cookies;
}

}  // namespace

json write_request(const http::Request& request, std::string_view url, std::size_t body_bytes) {
  return {{"method", request.method},
          {"url", as_utf8(url)},
          {"httpVersion", "HTTP/1.1"},
          {"cookies", cookies_of(request.headers, "Cookie")},
          {"headers", fields_of(request.headers)},
          {"queryString", query_of(request.target)},
          {"headersSize", -1},
          {"bodySize", body_bytes}};
}

json write_response(const http::Response& response, std::string_view http_version, json content) {
  return {{"status", response.status},
          {"statusText", response.reason},
          {"httpVersion", http_version},
          {"cookies", cookies_of(response.headers, "Set-Cookie")},
          {"headers", fields_of(response.headers)},
          {"content", std::move(content)},
          {"redirectURL", ""},
          {"headersSize", -1},
          {"bodySize", -1}};
}

void add_body(json& part, const std::string& body, bool is_text) {
  part["text"] = is_text ? body : text::to_base64(body);
  if (!is_text) {
    part["encoding"] = "base64";
  }
}

}  // namespace spec::har
