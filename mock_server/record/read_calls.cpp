#include "mock_server/record/read_calls.hpp"

#include "mock_server/record/postman.hpp"
#include "mock_server/record/validated_call.hpp"
#include "spec/document/file.hpp"
#include "spec/json/read.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <iterator>
#include <map>

namespace mock_server::record {
namespace {

namespace fs = std::filesystem;

[[noreturn]] void reject_input(const fs::path& file, std::string message) {
  throw spec::LoadError(spec::Problem{file.string(), 0, 0, "", std::move(message)});
}

void add_recording(spec::har::Recording recording, Source& source) {
  std::ranges::move(recording.problems, std::back_inserter(source.problems));
  for (auto& call : recording.calls) {
    source.calls.push_back({std::move(call), "", ""});
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

void add_file(const fs::path& file, Source& source) {
  const auto text = spec::document::read_file(file);
  if (!text) {
    reject_input(file, "cannot be read: " + text.error());
  }
  if (is_lines(file, *text)) {
    std::ranges::move(read_lines(*text, file.string(), source.problems),
                      std::back_inserter(source.calls));
    return;
  }
  const auto value = spec::json::read(*text);
  if (value && is_postman(*value)) {
    add_recording(read_postman(*value, file.string()), source);
  } else {
    add_recording(spec::har::read_har(*text, file.string()), source);
  }
}

// The origin whose calls have most operations of the contract; "" if none has any.
std::string likely_origin(const spec::contract::Contract& contract, const Source& source) {
  std::map<std::string, int> known;
  for (const LineCall& one : source.calls) {
    if (operation_of(contract, one.call.request) != nullptr) {
      ++known[one.call.origin];
    }
  }
  const auto best = std::ranges::max_element(known, {}, [](const auto& one) { return one.second; });
  return best == known.end() ? "" : best->first;
}

}  // namespace

Source read_calls(const std::vector<fs::path>& files) {
  Source source;
  for (const fs::path& file : files) {
    add_file(file, source);
  }
  return source;
}

void choose_calls(const spec::contract::Contract& contract, const std::string& origin,
                  Source& source) {
  const std::string chosen = origin.empty() ? likely_origin(contract, source) : origin;
  std::map<std::string, int> left_out;
  std::erase_if(source.calls, [&](const LineCall& one) {
    const bool is_other = !one.call.origin.empty() && one.call.origin != chosen;
    const std::string why =
        is_other ? "to " + one.call.origin + ", another origin than " + chosen + " (--origin)"
        : spec::har::is_preflight(one.call.request)
            ? "that a browser sent before others (preflights)"
        : !one.call.response ? "without a response (status 0)"
                             : "";
    if (!why.empty()) {
      ++left_out[why];
    }
    return !why.empty();
  });
  for (const auto& [why, count] : left_out) {
    source.problems.push_back(
        {"", 0, 0, "", "left out: " + std::to_string(count) + " calls " + why});
  }
}

}  // namespace mock_server::record
