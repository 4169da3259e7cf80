#pragma once

// The connections to servers (spec/http/client), by the names that the suite uses.

#include "spec/net/base_url.hpp"
#include "spec/net/stream.hpp"

namespace contract_tests::client {

using spec::net::BaseUrl;
using spec::net::Deadline;
using spec::net::open_stream;
using spec::net::OpenProblem;
using spec::net::parse_base_url;
using spec::net::Progress;
using spec::net::Proxy;
using spec::net::proxy_for;
using spec::net::read_proxy_environment;
using spec::net::Stream;
using spec::net::Trust;
using spec::net::TrustOptions;

}  // namespace contract_tests::client
