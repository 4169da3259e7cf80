#pragma once

// The program in front of a service, for tests: started with --upstream and asked over sockets.

#include "mock_server/tests/server_process.hpp"
#include "spec/tests/folder.hpp"

#include <nlohmann/json_fwd.hpp>

#include <string>
#include <string_view>
#include <vector>

namespace mock_server::upstream::testing {

inline constexpr const char* kCustomer = "/customers/cus_L9xVQ2zg4mZaouqKLiMcV";
inline constexpr const char* kToken = "Authorization: Bearer dodo_test_front\r\n";

class Front {
 public:
  // Throws std::runtime_error with what it wrote when it does not listen. Port 0 is any free one.
  explicit Front(const std::string& url, std::vector<std::string> flags = {}, int port = 0);

  // One request on a connection of its own; `fields` are whole lines, each with its end.
  spec::http::ResponseRecord ask(const std::string& method, const std::string& target,
                                 const std::string& fields = {},
                                 const std::string& body = {}) const;

  tests::ServerProcess& server() { return server_; }

  int port() const { return server_.port(); }

  std::string url() const { return "http://127.0.0.1:" + std::to_string(port()); }

  const test_support::Folder& folder() const { return folder_; }

 private:
  test_support::Folder folder_;
  tests::ServerProcess server_;
};

// A response of a service, of JSON.
std::string response(int status, const std::string& body);

std::string field(const spec::http::ResponseRecord& record, std::string_view name);
std::string served_by(const spec::http::ResponseRecord& record);
nlohmann::json body_of(const spec::http::ResponseRecord& record);
// The newest entry of a session's journal.
nlohmann::json newest(const Front& front, const std::string& session = {});

}  // namespace mock_server::upstream::testing
