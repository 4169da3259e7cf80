#pragma once

// Values for headers whose form HTTP fixes: an entity tag is quoted, a date is an HTTP date,
// whatever a schema of plain text would let pass. One table by name. Pure.

#include <nlohmann/json.hpp>

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace spec::contract::samples {

// What a header may be made of.
struct HeaderContext {
  std::uint64_t seed = 0;
  std::int64_t seconds = 0;     // what the time may be, since 1970
  int status = 200;             // of the answer
  std::string_view path;        // of the request, still encoded; "" if it is not known
  std::string_view body;        // of the answer, JSON where it is
  std::string_view media_type;  // of the answer, "" if it has none
};

// Well-formed values for the header `name`, the best first; none for a name that is not in the
// table. Whether one of them keeps the header's schema is for the caller to ask.
std::vector<nlohmann::json> usual_values(std::string_view name, const HeaderContext& context);

// "Sun, 06 Nov 1994 08:49:37 GMT". Source: RFC 9110 §5.6.7.
std::string http_date(std::int64_t seconds);

}  // namespace spec::contract::samples
