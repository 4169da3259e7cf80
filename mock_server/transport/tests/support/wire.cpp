#include "mock_server/transport/tests/support/wire.hpp"

#include <thread>

namespace mock_server::transport::testing {

void send_split(Client& client, std::string_view bytes, std::size_t split) {
  client.send(bytes.substr(0, split));
  if (split < bytes.size()) {
    std::this_thread::sleep_for(Wait(1));
    client.send(bytes.substr(split));
  }
}

std::string name_of(Connection state) {
  switch (state) {
    case Connection::kOpen: return "open";
    case Connection::kClosed: return "closed";
    case Connection::kReset: return "reset";
  }
  return "";
}

void check_common_fields(const spec::http::ResponseRecord& record, Lines& lines) {
  const auto& headers = record.response.headers;
  const std::string date(headers.find("Date").value_or(""));
  if (date.size() != 29 || !date.ends_with(" GMT") || headers.all("Date").size() != 1) {
    lines.push_back("bad Date: " + date);
  }
  if (!headers.has("Access-Control-Allow-Origin")) {
    lines.emplace_back("no CORS field");
  }
  for (const auto& deviation : record.deviations) {
    lines.push_back("slip " + std::string(spec::http::name_of(deviation.error)));
  }
}

}  // namespace mock_server::transport::testing
