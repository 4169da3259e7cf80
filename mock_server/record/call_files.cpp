// Postman collections (schema 2.1) as calls: the examples that are saved with their requests. Pure
// function. Source: https://schema.getpostman.com/json/collection/v2.1.0/collection.json.

#include "mock_server/record/call_files.hpp"

#include "mock_server/record/call_verdict.hpp"
#include "spec/document/text_file.hpp"
#include "spec/har/api_place.hpp"
#include "spec/har/har.hpp"
#include "spec/json/number.hpp"
#include "spec/json/pointer.hpp"
#include "spec/json/read.hpp"
#include "spec/text/encoding.hpp"
#include "spec/text/quote.hpp"

#include <nlohmann/json.hpp>
#include <nlohmann/json_fwd.hpp>

#include <algorithm>
#include <iterator>
#include <map>
#include <string>
#include <utility>

namespace mock_server::record {

namespace {

using nlohmann::json;
using spec::json::text_at;

const json& member(const json& object, std::string_view pointer) {
  static const json none;
  const json* const found = spec::json::find(object, pointer);
  return found != nullptr ? *found : none;
}

const json::array_t& list(const json& value) {
  static const json::array_t none;
  return value.is_array() ? value.get_ref<const json::array_t&>() : none;
}

class Reader {
 public:
  Reader(const json& collection, const std::string& name) : name_(name) {
    for (const json& variable : list(member(collection, "/variable"))) {
      variables_[std::string(text_at(variable, "/key"))] = text_at(variable, "/value");
    }
  }

  // Folders may lie in folders; a stack instead of recursion, since the depth is the file's.
  spec::har::Recording read(const json& collection) {
    std::vector<std::pair<const json*, std::string>> open{{&member(collection, "/item"), "/item"}};
    while (!open.empty()) {
      const auto [items, pointer] = std::move(open.back());
      open.pop_back();
      std::size_t at = 0;
      for (const json& item : list(*items)) {
        const std::string here = pointer + '/' + std::to_string(at++);
        if (member(item, "/item").is_array()) {
          open.emplace_back(&item.at("item"), here + "/item");
        } else {
          read_item(item, here);
        }
      }
    }
    return std::move(recording_);
  }

 private:
  void report(const std::string& pointer, std::string message) {
    recording_.problems.push_back({name_, 0, 0, pointer, std::move(message)});
  }

  std::string filled(std::string_view template_text) const {
    std::string text(template_text);
    std::size_t at = 0;
    for (int left = 100; left > 0 && (at = text.find("{{", at)) != std::string::npos; --left) {
      const std::size_t end = text.find("}}", at);
      const auto found = end == std::string::npos
                             ? variables_.end()
                             : variables_.find(text.substr(at + 2, end - at - 2));
      if (found == variables_.end()) {
        at += 2;
      } else {
        text.replace(at, end + 2 - at, found->second);
      }
    }
    return text;
  }

  void read_item(const json& item, const std::string& pointer) {
    const auto& responses = list(member(item, "/response"));
    if (responses.empty()) {
      report(pointer, "request " + spec::text::in_quotes(text_at(item, "/name")) +
                          " has no saved example, so there is nothing to record; save a response "
                          "as an example in Postman");
    }
    std::size_t at = 0;
    for (const json& response : responses) {
      const std::string here = pointer + "/response/" + std::to_string(at++);
      const json& original = member(response, "/originalRequest");
      add_call(original.is_object() ? original : member(item, "/request"), response, here);
    }
  }

  void add_call(const json& request, const json& response, const std::string& pointer) {
    spec::har::Call call;
    call.index = recording_.calls.size();
    const std::string_view method = text_at(request, "/method");
    call.request.method = method.empty() ? "GET" : method;
    const json& url = member(request, "/url");
    const std::string problem =
        take_url(filled(text_at(url, url.is_string() ? "" : "/raw")), url, call);
    const auto code = spec::json::to_int64(member(response, "/code"));
    if (!problem.empty() || !code) {
      report(pointer, problem.empty() ? "the example has no status (\"code\")" : problem);
      return;
    }
    read_fields(member(request, "/header"), call.request.headers);
    read_body(member(request, "/body"), call);
    call.response.emplace();
    call.response->status = static_cast<int>(*code);
    read_fields(member(response, "/header"), call.response->headers);
    call.response->body = text_at(response, "/body");
    recording_.calls.push_back(std::move(call));
  }

  // The error in the URL; "" for none. A host that is a variable without a value is no host.
  static std::string take_url(std::string text, const json& url, spec::har::Call& call) {
    text = text.substr(0, text.find('#'));
    const std::size_t scheme = text.find("://");
    const std::size_t from = scheme == std::string::npos ? 0 : scheme + 3;
    const std::size_t slash = std::min(text.find('/', from), text.size());
    if (scheme != std::string::npos) {
      call.origin = text.substr(0, slash);
      const std::size_t at = call.origin.rfind('@');
      if (at != std::string::npos) {
        call.origin.erase(from, at + 1 - from);
      }
      call.origin = spec::har::without_default_port(std::move(call.origin));
    }
    std::string target = text.substr(slash);
    for (const json& variable : list(member(url, "/variable"))) {
      const std::string name = "/:" + std::string(text_at(variable, "/key"));
      if (const auto at = target.find(name); at != std::string::npos && name.size() > 2) {
        target.replace(at, name.size(),
                       '/' + spec::text::percent_encode(text_at(variable, "/value")));
      }
    }
    if (!target.starts_with('/') || target.find("{{") != std::string::npos) {
      return "cannot read the URL " + spec::text::in_quotes(text) +
             "; give its variables values in the collection";
    }
    call.request.target = target;
    call.url = call.origin + target;
    return "";
  }

  void read_fields(const json& fields, spec::http::Headers& headers) const {
    for (const json& field : list(fields)) {
      if (!text_at(field, "/key").empty() && member(field, "/disabled") != true) {
        headers.add(filled(text_at(field, "/key")), filled(text_at(field, "/value")));
      }
    }
  }

  void read_body(const json& body, spec::har::Call& call) const {
    const std::string_view mode = text_at(body, "/mode");
    auto& request = call.request;
    if (mode == "raw") {
      request.body = filled(text_at(body, "/raw"));
      const std::string_view language = text_at(body, "/options/raw/language");
      if (!request.headers.has("Content-Type") && language == "json") {
        request.headers.add("Content-Type", "application/json");
      }
    } else if (mode == "urlencoded") {
      for (const json& pair : list(member(body, "/urlencoded"))) {
        request.body += (request.body.empty() ? "" : "&") +
                        spec::text::percent_encode(filled(text_at(pair, "/key"))) + '=' +
                        spec::text::percent_encode(filled(text_at(pair, "/value")));
      }
      request.headers.set("Content-Type", "application/x-www-form-urlencoded");
    } else if (!mode.empty()) {
      call.has_request_body = false;
    }
  }

  std::string name_;
  std::map<std::string, std::string> variables_;
  spec::har::Recording recording_;
};

// True for a JSON value that says it is a Postman collection.
bool is_postman(const json& value) {
  return text_at(value, "/info/schema").find("getpostman.com") != std::string::npos ||
         (member(value, "/item").is_array() && member(value, "/info").is_object());
}

// Variables of the collection are filled in. A request without saved examples, or with a variable
// in its path that the collection does not define, is a problem.
spec::har::Recording read_postman(const json& collection, const std::string& name) {
  return Reader(collection, name).read(collection);
}

namespace fs = std::filesystem;

using spec::net::BaseUrl;

void add_recording(spec::har::Recording recording, Source& source) {
  std::ranges::move(recording.problems, std::back_inserter(source.problems));
  for (auto& call : recording.calls) {
    source.calls.push_back({.call = std::move(call)});
  }
}

// Lines are objects that each end with their line; a HAR or a collection is one object.
bool is_lines(const fs::path& file, const std::string& text) {
  const std::string_view first = std::string_view(text).substr(0, text.find('\n'));
  if (file.extension() == ".jsonl" || file.extension() == ".ndjson") {
    return true;
  }
  const auto value = spec::json::read(first);
  return value && value->is_object() && value->contains("request");
}

void add_file(const fs::path& file, const Key& key, Source& source) {
  const auto text = spec::document::read_file(file);
  if (!text) {
    throw spec::LoadError(file, "cannot be read: " + text.error());
  }
  if (is_lines(file, *text)) {
    std::ranges::move(read_lines(*text, file.string(), source.problems, &key),
                      std::back_inserter(source.calls));
    return;
  }
  const auto value = spec::json::read(*text);
  if (value && is_postman(*value)) {
    add_recording(read_postman(*value, file.string()), source);
  } else {
    const fs::path folder = file.has_parent_path() ? file.parent_path() : ".";
    add_recording(spec::har::read_har(*text, file.string(), folder), source);
  }
}

constexpr const char* kNoResponse = "without a response (status 0)";

// Why the call is left out; "" where it is not. `origin` is the likely one, where there is no base.
std::string why_left_out(spec::har::Call& call, const std::optional<BaseUrl>& base,
                         const std::string& origin) {
  if (!call.origin.empty() && !(base ? spec::har::take_base(call, *base) : call.origin == origin)) {
    const std::string other = base ? base->text() : origin;
    return "to " + call.origin +
           (other.empty() ? "; no call in the file is for an operation of the contract"
                          : ", another origin than " + other + " (--origin)");
  }
  if (spec::http::is_preflight(call.request)) {
    return "that a browser sent before others (preflights)";
  }
  return call.response ? "" : kNoResponse;
}

// Leaves out what is for no operation of the contract, such as a page and its scripts, unless all
// is. True if some is for one.
bool keep_operations(const spec::contract::Contract& contract, Source& source,
                     std::map<std::string, int>& left_out) {
  const auto is_for_none = [&](const LineCall& one) {
    return operation_of(contract, one.call.request) == nullptr;
  };
  if (std::ranges::all_of(source.calls, is_for_none)) {
    return false;
  }
  const auto count = std::erase_if(source.calls, is_for_none);
  if (count > 0) {
    left_out["for no operation of the contract"] = static_cast<int>(count);
  }
  return true;
}

}  // namespace

Source read_calls(const std::vector<fs::path>& files, const Key& key) {
  Source source;
  for (const fs::path& file : files) {
    add_file(file, key, source);
  }
  return source;
}

std::string choose_calls(const spec::contract::Contract& contract,
                         const std::optional<BaseUrl>& base, Source& source) {
  spec::har::ApiPlace place(contract);
  for (const LineCall& one : source.calls) {
    place.add(one.call);
  }
  const std::string origin = place.origin();
  std::map<std::string, int> left_out;
  std::vector<LineCall> chosen;
  for (LineCall& one : std::exchange(source.calls, {})) {
    if (const std::string why = why_left_out(one.call, base, origin); why.empty()) {
      chosen.push_back(std::move(one));
    } else {
      ++left_out[why];
    }
  }
  source.calls = std::move(chosen);
  const bool has_operation = keep_operations(contract, source, left_out);
  for (const auto& [why, count] : left_out) {
    source.problems.push_back(
        {"", 0, 0, "", "left out: " + std::to_string(count) + " calls " + why});
  }
  if (has_operation || (source.calls.empty() && left_out.empty())) {
    return "";
  }
  if (source.calls.empty() && left_out.size() == 1 && left_out.contains(kNoResponse)) {
    return "nothing is recorded: all calls are " + std::string(kNoResponse) +
           "; record again while the service responds";
  }
  const std::string likely = origin.empty() ? place.base() : origin;
  return "nothing is recorded: none of the chosen calls is for an operation of the contract; " +
         (likely.empty() ? "look at --contract and --origin"
                         : "below " + likely + " some are: pass --origin " + likely);
}

}  // namespace mock_server::record
