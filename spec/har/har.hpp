#pragma once

// HTTP calls that a browser, a proxy or the mock recorded: HAR 1.2 text as requests and responses.
// Reads the files of many recorders, and reports what each entry lacks. Pure functions but for the
// files that are read. Source: http://www.softwareishard.com/blog/har-12-spec/.

#include "spec/http/message.hpp"
#include "spec/load_error.hpp"

#include <nlohmann/json_fwd.hpp>

#include <chrono>
#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace spec::har {

// One recorded call. Headers are as recorded, without the pseudo-fields of HTTP/2 (":path");
// bodies are without content coding, so Content-Length and Content-Encoding need not fit them.
struct Call {
  std::size_t index = 0;  // in log.entries, from 0
  std::string url;        // as recorded
  // "https://api.example.com:8443": scheme and host in lower case, without the scheme's own port
  std::string origin;
  http::Request request;         // `target` is path and query of the URL
  bool has_request_body = true;  // false: the request had a body, which is not whole in the file
  std::optional<http::Response> response;  // none if none came (status 0)
  bool has_response_body = true;           // false: the response's body is not whole in the file
  // Of a body of items that came one by one, and of which later ones may be missing: when each did,
  // since the response began.
  std::vector<std::chrono::milliseconds> item_times{};
  bool items_go_on = false;  // it was not the server that ended them
  std::string failure;       // why there is no response, as recorded; "" if that was not recorded
  std::string started;       // RFC 3339, as recorded; "" if it is no such text
  double time_ms = 0;        // of the whole call; 0 if it was not recorded
};

struct Recording {
  std::vector<Call> calls;
  // Entries that are no calls over HTTP or cannot be read, each with place and reason.
  std::vector<Problem> problems;
};

// `origin` without the port if that is the scheme's default: "https://a:443" is "https://a". A path
// may follow. Source: RFC 9110 §4.2.3.
std::string without_default_port(std::string origin);

// Reads a HAR text; `name` is the file name in places. Bodies in files of their own are read below
// `folder`, if it is given. Throws LoadError, with one problem, for a text that is cut, no JSON, or
// no HAR; an entry with a problem is left out. Entries that are no calls over HTTP are left out,
// with one problem for each scheme.
Recording read_har(std::string_view text, const std::string& name,
                   const std::filesystem::path& folder = {});

// Reads a file of at most 1 GiB, with bodies below its folder.
Recording read_har_file(const std::filesystem::path& file);

// "request", without its body: "postData" is the caller's.
nlohmann::json write_request(const http::Request& request, std::string_view url,
                             std::size_t body_bytes);

// "response" without redirect and with a body of unknown size on the wire; `content` has its body.
nlohmann::json write_response(const http::Response& response, std::string_view http_version,
                              nlohmann::json content);

// Adds `body` to "postData" or "content", in Base64 if it is no text.
void add_body(nlohmann::json& part, const std::string& body, bool is_text);

}  // namespace spec::har
