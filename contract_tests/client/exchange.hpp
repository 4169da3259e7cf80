#pragma once

// One request and all that was received in answer to it, as it was on the wire: what checks validate
// and reports quote. A plain value; made by Client::send, never changed afterwards.

#include "spec/http/coding.hpp"
#include "spec/http/message.hpp"
#include "spec/http/response_parser.hpp"

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>

namespace contract_tests::client {

// How the conversation ended. From kNothing on, the response is not whole.
enum class Ending : std::uint8_t {
  kPassed,          // the connection stays open
  kClosed,        // it ended after the whole response
  kNothing,       // it ended before a byte of the response
  kCut,           // it ended, or broke, in the middle of the response
  kDeadline,      // the response was not whole in time
  kTooLarge,      // a cap on size or count was passed
  kMalformed,     // what came is not HTTP, or not any further
  kNoConnection,  // none could be made
  kUntrusted      // TLS could not be agreed on, or the certificate is not trusted
};

std::string_view to_text(Ending ending);

struct Timing {
  std::chrono::microseconds connect{0};  // 0 on a reused connection
  std::chrono::microseconds first_byte{0};
  std::chrono::microseconds total{0};
};

struct Exchange {
  spec::http::Request sent;  // with every header that went out
  std::string url;           // absolute, as a curl line needs it

  spec::http::ResponseRecord record;  // as received: lines, framing, chunks, deviations
  spec::http::Response response;    // as meant: its body is without codings of either kind
  std::size_t body_bytes = 0;       // of that body; a report's copy may hold less of it
  std::optional<spec::http::CodingError> coding_error;  // the body is then as it came
  bool continued = false;                               // a 100 came before the body was sent
  bool waited_in_vain = false;  // none came, and no response either, so the body was sent without it
  bool reused_connection = false;
  Ending ending = Ending::kNoConnection;
  std::string failure;  // why there is no whole response, in words
  Timing timing;

  // A status line and its fields were read.
  bool answered() const { return record.head.status != 0 && ending < Ending::kNoConnection; }

  // The response was read to its end.
  bool whole() const { return answered() && ending < Ending::kNothing; }

  int status() const { return answered() ? response.status : 0; }
};

}  // namespace contract_tests::client
