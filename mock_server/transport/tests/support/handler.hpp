#pragma once

// A small service for the transport's tests: what it does is written in the target, so that a case
// file can ask for it.

#include "mock_server/reply/reply.hpp"

namespace mock_server::transport::testing {

// /echo/...           200, text: method, target and body
// /status/204         that status, a short body
// /bytes/300          200, that many bytes
// /delay/50           /echo after so many milliseconds
// /fault/NAME         /echo spoilt; /fault/NAME/300 with so many bytes
// /head-length/77     200, no body, a Content-Length of its own
// /bad-header /bad-name /bad-reason /reason /close  as they say
// /work/20            busy for so many milliseconds
// anything else       200, the usual 300 bytes of JSON
reply::Handler handler();

}  // namespace mock_server::transport::testing
