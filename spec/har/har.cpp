#include "spec/har/har.hpp"

#include "spec/document/file.hpp"
#include "spec/har/entry.hpp"
#include "spec/json/pointer.hpp"
#include "spec/json/read.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>
#include <utility>

namespace spec::har {

namespace {

// Browsers record call stacks, which nest deep.
constexpr std::size_t kMaxDepth = 1'000;
constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";

// Columns count bytes: the lines of a HAR text are long, and this is for finding the place.
Problem text_problem(std::string_view text, const std::string& name, const json::ReadError& error) {
  const auto before = text.substr(0, std::min(error.byte_offset, text.size()));
  const auto line = static_cast<std::size_t>(std::ranges::count(before, '\n')) + 1;
  const auto column = before.size() - (before.rfind('\n') + 1) + 1;
  const bool is_cut = text.find_first_not_of(" \t\r\n", before.size()) == std::string_view::npos;
  return {name, line, column, "",
          is_cut ? "the file ends here, in the middle of the recording; it was cut, record it again"
                 : "no JSON: " + error.message};
}

}  // namespace

bool is_preflight(const http::Request& request) {
  return request.method == "OPTIONS" && request.headers.has("Origin") &&
         request.headers.has("Access-Control-Request-Method");
}

Recording read_har(std::string_view text, const std::string& name) {
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
  for (std::size_t index = 0; index < entries->size(); ++index) {
    auto call = read_entry((*entries)[index]);
    if (call) {
      call->index = index;
      recording.calls.push_back(std::move(*call));
    } else {
      recording.problems.push_back({name, 0, 0,
                                    "/log/entries/" + std::to_string(index) + call.error().pointer,
                                    call.error().message});
    }
  }
  return recording;
}

Recording read_har_file(const std::filesystem::path& file) {
  const auto text = document::read_file(file);
  if (!text) {
    throw LoadError(Problem{file.string(), 0, 0, "", text.error()});
  }
  return read_har(*text, file.string());
}

}  // namespace spec::har
