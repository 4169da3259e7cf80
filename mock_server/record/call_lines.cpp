#include "mock_server/record/call_lines.hpp"

#include "mock_server/journal/journal_json.hpp"
#include "spec/document/text_file.hpp"
#include "spec/json/number.hpp"
#include "spec/json/pointer.hpp"
#include "spec/json/read.hpp"
#include "spec/json/value.hpp"
#include "spec/text/encoding.hpp"
#include "spec/text/utf8.hpp"

#include <algorithm>
#include <cerrno>
#include <fcntl.h>
#include <stdexcept>
#include <sys/stat.h>
#include <system_error>
#include <unistd.h>

namespace mock_server::record {
namespace {

using journal::headers_of;
using nlohmann::json;
using spec::json::text_at;
using spec::text::as_utf8;

void add_body(json& message, const std::string& body, bool is_whole) {
  if (!is_whole) {
    message["body_is_missing"] = true;
  } else if (spec::text::is_utf8(body)) {
    message["body"] = body;
  } else {
    message["body_base64"] = spec::text::to_base64(body);
  }
}

void read_message(const json& message, spec::http::Headers& headers, std::string& body,
                  bool& is_whole) {
  for (const json& field : message.value("headers", json::array())) {
    if (field.is_array() && field.size() == 2 && field[0].is_string() && field[1].is_string()) {
      headers.add(field[0].get<std::string>(), field[1].get<std::string>());
    }
  }
  is_whole = !message.contains("body_is_missing");
  body = message.contains("body_base64")
             ? spec::text::from_base64(text_at(message, "/body_base64")).value_or("")
             : std::string(text_at(message, "/body"));
}

// The error in the line; "" for none.
std::string read_call(const json& line, LineCall& into) {
  if (!line.is_object() || !line.contains("request") || !line["request"].is_object()) {
    return "must be an object with \"request\"";
  }
  spec::har::Call& call = into.call;
  const json& request = line["request"];
  call.request.method = text_at(request, "/method");
  call.request.target = text_at(request, "/target");
  if (call.request.method.empty() || !call.request.target.starts_with('/')) {
    return "must have a method and a target that starts with \"/\" in \"request\"";
  }
  read_message(request, call.request.headers, call.request.body, call.has_request_body);
  call.origin = spec::har::without_default_port(std::string(text_at(line, "/origin")));
  call.url = call.origin + call.request.target;
  call.started = text_at(line, "/time");
  call.failure = text_at(line, "/failure");
  const auto took = line.find("took_ms");
  if (took != line.end() && spec::json::is_number(*took)) {
    call.time_ms = spec::json::to_double(*took);
  }
  if (line.contains("response") && line["response"].is_object()) {
    const json& response = line["response"];
    const auto status = response.find("status");
    const auto code = status != response.end() ? spec::json::to_int64(*status) : std::nullopt;
    if (!code) {
      return "must have a number as \"status\" of \"response\"";
    }
    call.response.emplace();
    call.response->status = static_cast<int>(*code);
    read_message(response, call.response->headers, call.response->body, call.has_response_body);
    for (const json& time : response.value("item_times_ms", json::array())) {
      call.item_times.emplace_back(spec::json::to_int64(time).value_or(0));
    }
    call.items_go_on = response.value("goes_on", json()) == json(true);
  }
  return "";
}

constexpr std::size_t kSealDigits = 32;

std::string seal(json line, const Key& key) {
  line["seal"] = key.digits(spec::json::write(line), kSealDigits);
  return spec::json::write(line);
}

// The redacted places of a line that was sealed with that key; nothing for any other.
std::optional<std::vector<std::string>> sealed_places(json line, const Key& key) {
  const std::string seal(text_at(line, "/seal"));
  line.erase("seal");
  if (seal.size() < kSealDigits || key.digits(spec::json::write(line), seal.size()) != seal) {
    return std::nullopt;
  }
  std::vector<std::string> places;
  for (const json& place : line.value("redacted", json::array())) {
    places.push_back(place.is_string() ? place.get<std::string>() : "");
  }
  return places;
}

// True if one of the texts in it was changed.
bool replace_texts(json& value, const Redactor& redactor) {
  bool is_changed = false;
  std::vector<json*> open{&value};
  while (!open.empty()) {
    json* const one = open.back();
    open.pop_back();
    if (one->is_string()) {
      auto& text = one->get_ref<std::string&>();
      std::string after = redactor.text(text);
      is_changed = is_changed || after != text;
      text = std::move(after);
    } else if (one->is_structured()) {
      for (json& inner : *one) {
        open.push_back(&inner);
      }
    }
  }
  return is_changed;
}

std::string last_error() {
  return std::generic_category().message(errno);
}

}  // namespace

std::string to_line(const ValidatedCall& validated, const Redactor& redactor) {
  const spec::har::Call& call = validated.call;
  json line{{"time", call.started},
            {"took_ms", call.time_ms},
            {"origin", call.origin},
            {"operation", validated.operation != nullptr ? json(validated.operation->id) : json()},
            {"verdict", to_text(validated.verdict)},
            {"request",
             {{"method", as_utf8(call.request.method)},
              {"target", as_utf8(call.request.target)},
              {"headers", headers_of(call.request.headers)}}}};
  add_body(line["request"], call.request.body, call.has_request_body);
  if (call.response) {
    line["response"] = {{"status", call.response->status},
                        {"headers", headers_of(call.response->headers)}};
    add_body(line["response"], call.response->body, call.has_response_body);
    for (const auto& time : call.item_times) {
      line["response"]["item_times_ms"].push_back(time.count());
    }
    if (call.items_go_on) {
      line["response"]["goes_on"] = true;
    }
  } else {
    line["failure"] = as_utf8(call.failure);
  }
  if (!validated.findings.empty()) {
    line["findings"] = validated.findings;
  }
  if (!validated.redacted.empty()) {
    line["redacted"] = validated.redacted;
  }
  return redactor.is_off() ? spec::json::write(line) : seal(std::move(line), redactor.key());
}

std::string replace_late(std::string_view line, const Redactor& redactor) {
  auto read = spec::json::read(line);
  if (!read || !read->is_object()) {
    return std::string(line);
  }
  read->erase("seal");
  const bool has_secret = replace_texts(*read, redactor);
  return has_secret ? seal(std::move(*read), redactor.key()) : std::string(line);
}

std::vector<LineCall> read_lines(std::string_view text, const std::string& name,
                                 std::vector<spec::Problem>& problems, const Key* key) {
  std::vector<LineCall> calls;
  for (std::size_t number = 1; !text.empty(); ++number) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    const std::string_view one = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    if (one.find_first_not_of(" \t\r") == std::string_view::npos) {
      continue;
    }
    auto read = spec::json::read(one);
    LineCall call;
    const std::string problem =
        read ? read_call(*read, call) : "is no JSON: " + read.error().message;
    if (!problem.empty()) {
      problems.push_back({name, number, 0, "", problem + "; the line was left out"});
      continue;
    }
    call.call.index = number - 1;
    if (key != nullptr) {
      call.redacted = sealed_places(std::move(*read), *key);
    }
    calls.push_back(std::move(call));
  }
  return calls;
}

std::string read_lines_file(const std::filesystem::path& folder) {
  auto text = spec::document::read_file(folder / kLinesFile);
  if (!text) {
    throw std::runtime_error((folder / kLinesFile).string() + ": cannot be read: " + text.error());
  }
  return std::move(*text);
}

LineFile::LineFile(const std::filesystem::path& path) : path_(path) {
  constexpr mode_t kPrivate = 0600;
  descriptor_ = ::open(path.c_str(), O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, kPrivate);
  if (descriptor_ < 0) {
    fail("cannot be opened");
  }
  // A line that a killed program left half is ended, so that only it is lost.
  const off_t size = ::lseek(descriptor_, 0, SEEK_END);
  char last = '\n';
  if (size > 0 && ::pread(descriptor_, &last, 1, size - 1) == 1 && last != '\n') {
    append("");
  }
}

LineFile::~LineFile() {
  if (descriptor_ >= 0) {
    ::close(descriptor_);
  }
}

void LineFile::append(const std::string& line) {
  const off_t before = ::lseek(descriptor_, 0, SEEK_END);
  if (!spec::document::write_all(descriptor_, line + '\n')) {
    const std::string why = last_error();
    // Without the half line; the program goes on or ends with an error in any case.
    const bool is_cut = before >= 0 && ::ftruncate(descriptor_, before) == 0;
    throw std::runtime_error(path_.string() + ": a call could not be written: " + why +
                             (is_cut ? "; all calls before it are there" : ""));
  }
}

std::size_t LineFile::size() const {
  const off_t end = ::lseek(descriptor_, 0, SEEK_END);
  return end < 0 ? 0 : static_cast<std::size_t>(end);
}

void LineFile::fail(const std::string& what) const {
  throw std::runtime_error(path_.string() + ": " + what + ": " + last_error());
}

void write_whole(const std::filesystem::path& path, std::string_view text, unsigned mode) {
  if (const auto why = spec::document::replace_file(path, text, mode); !why.empty()) {
    throw std::runtime_error(path.string() + ": cannot be written: " + why +
                             "; it is as it was before");
  }
}

}  // namespace mock_server::record
