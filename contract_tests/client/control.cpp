#include "contract_tests/client/control.hpp"

#include "spec/json/read.hpp"

#include <httplib.h>
#include <nlohmann/json.hpp>

namespace contract_tests::client {

namespace {

httplib::Client caller(const BaseUrl& url, const ControlOptions& options) {
  httplib::Client client((url.tls ? "https://" : "http://") + url.authority());
  client.set_connection_timeout(options.timeout);
  client.set_read_timeout(options.timeout);
  client.set_tcp_nodelay(true);
  if (url.proxy) {
    client.set_proxy(url.proxy->host, url.proxy->port);
  }
  if (!options.ca_file.empty()) {
    client.set_ca_cert_path(options.ca_file);
  }
  return client;
}

}  // namespace

bool is_double(const BaseUrl& url, const ControlOptions& options) {
  const auto answer = caller(url, options).Get("/_mock/health");
  if (!answer || answer->status != 200) {
    return false;
  }
  const auto health = spec::json::read(answer->body);
  return health && health->is_object() && health->value("service", "") == "counterpart";
}

bool reset_double(const BaseUrl& url, const ControlOptions& options) {
  const auto answer = caller(url, options).Post("/_mock/reset", "{}", "application/json");
  return answer && answer->status / 100 == 2;
}

}  // namespace contract_tests::client
