#include "spec/http/client/request_head.hpp"

namespace spec::http::client {

std::string request_head(const Request& request, const BaseUrl& url) {
  const bool by_proxy = url.proxy && !url.tls;
  std::string bytes = request.method + ' ' + (by_proxy ? "http://" + url.authority() : "") +
                      request.target + " HTTP/1.1\r\n";
  if (by_proxy) {
    bytes += url.proxy->authorization_line();
  }
  for (const auto& [name, value] : request.headers.lines()) {
    bytes.append(name).append(": ").append(value).append("\r\n");
  }
  return bytes + "\r\n";
}

}  // namespace spec::http::client
