#pragma once

// The head of a request as it goes out to a server, directly or by a proxy. Pure function.

#include "spec/http/client/base_url.hpp"
#include "spec/http/message.hpp"

#include <string>

namespace spec::http::client {

// The request line, the header fields and the empty line. A proxy for plain HTTP gets the whole URI
// and the credentials for it. Source: RFC 9112 §3.2.2.
std::string request_head(const Request& request, const BaseUrl& url);

}  // namespace spec::http::client
