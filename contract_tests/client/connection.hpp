#pragma once

// The connections to servers (spec/http/client), by the names that the suite uses.

#include "spec/http/client/base_url.hpp"
#include "spec/http/client/proxy.hpp"
#include "spec/http/client/stream.hpp"

namespace contract_tests::client {

using spec::http::client::BaseUrl;
using spec::http::client::Deadline;
using spec::http::client::open_stream;
using spec::http::client::OpenProblem;
using spec::http::client::parse_base_url;
using spec::http::client::Progress;
using spec::http::client::Proxy;
using spec::http::client::proxy_for;
using spec::http::client::read_proxy_environment;
using spec::http::client::Stream;
using spec::http::client::Trust;
using spec::http::client::TrustOptions;

}  // namespace contract_tests::client
