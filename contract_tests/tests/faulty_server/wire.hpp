#pragma once

// A response about to be written, with what is done to its bytes. For tests of the suite alone.

#include "spec/http/message.hpp"

#include <nlohmann/json.hpp>

#include <cstddef>
#include <map>
#include <string>

namespace contract_tests::faulty_server {

struct Wire {
  spec::http::Response response;
  std::size_t turn = 0;   // which request on this server it responds to, from 1
  std::string raw;        // written as it is, instead of the response
  long length_delta = 0;  // added to the true Content-Length
  bool without_length = false;
  bool chunked = false;
  std::size_t chunk_bytes = 0;  // of each chunk; 0: one chunk
  std::string trailer = "X-Trailer: 1\r\n";
  bool no_last_chunk = false;
  bool bad_chunk_size = false;
  bool close = false;           // ends the body by closing, without a length
  bool close_after = false;     // says Connection: close, with a length
  std::string interim;          // written before the response
  std::string surplus;          // written behind it
  bool keep_head_body = false;  // sends the body in response to HEAD too
  std::string version = "HTTP/1.1";
  std::string line_end = "\r\n";
  bool lower_names = false;
  bool upper_names = false;
  bool reversed = false;     // header lines in the reverse order
  bool endless = false;      // chunks without end
  bool no_response = false;  // the connection just ends
  int delay_ms = 0;          // before the first byte
  std::size_t piece = 0;     // bytes written at once; 0: all
  std::size_t cut_wire = 0;  // the connection ends this many bytes before the end
};

// The bytes of the response to `request`.
std::string bytes_of(const Wire& wire, const spec::http::Request& request);
// True when the connection must end behind those bytes.
bool ends_connection(const Wire& wire);

}  // namespace contract_tests::faulty_server
