#pragma once

// Media types and ranges of them (RFC 9110 §8.3.1, §12.5.1).

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace spec::http {

// Type, subtype and parameter names in lower case; parameter values as written, unquoted.
struct MediaType {
  std::string type;
  std::string subtype;
  std::vector<std::pair<std::string, std::string>> parameters;

  std::string essence() const { return type + '/' + subtype; }

  std::optional<std::string_view> parameter(std::string_view name) const;
  // application/json or any +json type (RFC 6839 §3.1).
  bool is_json() const;
};

// None if `text` is not a media type or range by the grammar or gives a parameter twice. Source:
// RFC 9110 §8.3.1, RFC 6838 §4.3.
std::optional<MediaType> parse_media_type(std::string_view text);

// True if `range` ("*/*", "text/*", "application/pdf;version=1.7") includes `media_type`: each
// parameter of the range but `q` must be there with the same value, `charset` without regard to
// case, and of JSON with none, since it means nothing there (RFC 8259 §11).
bool includes(const MediaType& range, const MediaType& media_type);

// The index of the one of `offered` that an Accept field value prefers, the first among equals;
// none if none is acceptable. An absent, empty or unreadable value accepts everything; a weight
// from 0 to 1 that is not by the grammar is read as it is meant. Source: RFC 9110 §12.5.1.
std::optional<std::size_t> negotiate(std::optional<std::string_view> accept,
                                     const std::vector<MediaType>& offered);

// The elements of an Accept field value that are not by its grammar. Source: RFC 9110 §12.4.2.
std::vector<std::string_view> unsound_ranges(std::string_view accept);

// The media types, no ranges, that an Accept field value names as acceptable, in its order.
// Source: RFC 9110 §12.5.1.
std::vector<MediaType> named_types(std::optional<std::string_view> accept);

}  // namespace spec::http
