#include "mock_server/transport/request_amounts.hpp"

#include "mock_server/transport/listener.hpp"
#include "spec/http/media_type.hpp"

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>

namespace mock_server::transport {

namespace {

using spec::http::Rejection;

constexpr Rejection kLongQuery = {400, "BAD_REQUEST",
                                  "the query has more name=value pairs than --query-pairs allows"};
constexpr Rejection kLongForm = {413, "PAYLOAD_TOO_LARGE",
                                 "the form has more name=value pairs than --query-pairs allows"};
constexpr Rejection kManyParts = {413, "PAYLOAD_TOO_LARGE",
                                  "the body has more parts than --multipart-parts allows"};
constexpr Rejection kDeepJson = {400, "BAD_REQUEST",
                                 "the JSON is nested deeper than --json-depth allows"};

// Empty pairs ("&&") count: they cost their time, too.
bool has_more_pairs(std::string_view text, std::size_t limit) {
  return text.size() > limit &&
         static_cast<std::size_t>(std::count(text.begin(), text.end(), '&')) >= limit;
}

// Every part has a boundary line before it, and the last one behind it.
bool has_more_parts(std::string_view body, std::string_view boundary, std::size_t limit) {
  const std::string delimiter = "--" + std::string(boundary);
  std::size_t lines = 0;
  for (std::size_t at = body.find(delimiter); at != std::string_view::npos;
       at = body.find(delimiter, at + delimiter.size())) {
    const bool starts_line = at == 0 || (at >= 2 && body.substr(at - 2, 2) == "\r\n");
    if (starts_line && ++lines > limit + 1) {
      return true;
    }
  }
  return false;
}

bool is_deeper(std::string_view json, std::size_t limit) {
  std::size_t depth = 0;
  bool in_string = false;
  for (std::size_t at = 0; at < json.size(); ++at) {
    const char byte = json[at];
    if (in_string) {
      at += byte == '\\' ? 1 : 0;
      in_string = byte != '"';
    } else if (byte == '"') {
      in_string = true;
    } else if (byte == '[' || byte == '{') {
      if (++depth > limit) {
        return true;
      }
    } else if ((byte == ']' || byte == '}') && depth > 0) {
      --depth;
    }
  }
  return false;
}

std::optional<Rejection> check_body(std::string_view body, std::string_view type,
                                    const Limits& limits) {
  const auto media_type = spec::http::parse_media_type(type);
  if (!media_type) {
    return std::nullopt;
  }
  if (media_type->type == "multipart") {
    const auto boundary = media_type->parameter("boundary");
    return boundary && has_more_parts(body, *boundary, limits.multipart_parts)
               ? std::optional(kManyParts)
               : std::nullopt;
  }
  if (media_type->essence() == "application/x-www-form-urlencoded") {
    return has_more_pairs(body, limits.query_pairs) ? std::optional(kLongForm) : std::nullopt;
  }
  // The validator rejects what is nested deeper than the greatest limit that may be chosen.
  const bool is_asked = media_type->is_json() && limits.json_depth < Limits::kMaxJsonDepth;
  return is_asked && is_deeper(body, limits.json_depth) ? std::optional(kDeepJson) : std::nullopt;
}

}  // namespace

std::optional<Rejection> check_amounts(const spec::http::Request& request, const Limits& limits) {
  if (has_more_pairs(spec::http::query_of(request.target), limits.query_pairs)) {
    return kLongQuery;
  }
  if (request.body.empty()) {
    return std::nullopt;
  }
  const auto type = request.headers.find("Content-Type");
  return type ? check_body(request.body, *type, limits) : std::nullopt;
}

}  // namespace mock_server::transport
