#pragma once

// Which session a request belongs to: a header, or a prefix of the path for callers that cannot set
// headers. Pure functions.

#include "spec/http/message.hpp"

#include <string_view>

namespace mock_server::service::request {

struct SessionChoice {
  std::string_view name;     // "" for the default session
  std::string_view path;     // the request's path without the prefix, still encoded
  std::string_view prefix;   // "/_s/NAME", or ""
  std::string_view other{};  // a second name, which the header gives; "" for none
  bool readable = true;      // false: a name was given that is none, or two
};

// The prefix wins over the header; what another name there says is in `other`.
SessionChoice choose_session(const spec::http::Request& request);

}  // namespace mock_server::service::request
