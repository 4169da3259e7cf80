#include "mock_server/record/read_calls.hpp"

#include "mock_server/record/postman.hpp"
#include "mock_server/record/validated_call.hpp"
#include "spec/document/text_file.hpp"
#include "spec/har/api_place.hpp"
#include "spec/json/read.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <iterator>
#include <map>
#include <utility>

namespace mock_server::record {
namespace {

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
