#pragma once

// One request and everything that was received for it, as it was on the wire: checks validate it
// and reports quote it. A plain value; made by Client::send, never changed afterwards.

#include "spec/http/coding.hpp"
#include "spec/http/message.hpp"
#include "spec/http/response_parser.hpp"

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>

namespace contract_tests::client {

// The end of an exchange. From kNothing on, the response is incomplete.
enum class Ending : std::uint8_t {
  kKeptOpen,      // the connection stays open
  kClosed,        // closed after the whole response
  kLeftOpen,      // a stream that may never end; its body has the whole events or lines that came
  kNothing,       // closed before the first byte of the response
  kCut,           // closed or reset in the middle of the response
  kDeadline,      // the response was not complete in time
  kTooLarge,      // a limit on size or count was exceeded
  kMalformed,     // the response cannot be parsed as HTTP
  kNoConnection,  // none could be made
  kUntrusted      // the TLS handshake failed, or the certificate is not trusted
};

std::string_view to_text(Ending ending);

// Sent with every request that has no other.
inline constexpr std::string_view kUserAgent = "counterpart-contract-tests";

struct Timing {
  std::chrono::microseconds connect{0};  // 0 on a reused connection
  std::chrono::microseconds first_byte{0};
  std::chrono::microseconds total{0};
};

struct Exchange {
  std::chrono::system_clock::time_point started;  // by the clock of this machine
  spec::http::Request sent;                       // with every header that went out
  std::string url;                                // absolute, as a curl line needs it

  spec::http::ResponseRecord record;  // as received: lines, framing, chunks, deviations
  spec::http::Response response;      // decoded: its body has no transfer or content coding
  std::size_t body_bytes = 0;         // of that body; the copy in a report may be shorter
  std::optional<spec::http::CodingError> coding_error;  // then the body is not decoded
  bool continued = false;                               // a 100 came before the body was sent
  bool waited_in_vain =
      false;  // neither a 100 nor a response came, so the body was sent without it
  bool reused_connection = false;
  Ending ending = Ending::kNoConnection;
  std::string failure;  // why there is no complete response
  Timing timing;

  // A status line and its fields were read.
  bool has_response() const { return record.head.status != 0 && ending < Ending::kNoConnection; }

  // The response was read to its end.
  bool is_complete() const { return has_response() && ending < Ending::kNothing; }

  int status() const { return has_response() ? response.status : 0; }
};

}  // namespace contract_tests::client
