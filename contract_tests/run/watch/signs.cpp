#include "contract_tests/run/watch/signs.hpp"

#include "contract_tests/run/status.hpp"
#include "spec/document/uri.hpp"
#include "spec/http/media_type.hpp"

#include <algorithm>

namespace contract_tests::run::watch {

using client::Ending;
using client::Exchange;
using spec::contract::Operation;

namespace {

std::string origin_of(const spec::document::UriParts& uri) {
  return std::string(uri.scheme.value_or("")) + "://" + std::string(uri.authority.value_or(""));
}

// Where a redirect leads away: to another origin, or to a place of this one that is not about the
// path of the request. "" where it is about the same resource ("/todos" to "/todos/").
std::string leads_away(const Exchange& exchange) {
  const auto location = exchange.response.headers.find("Location");
  if (exchange.status() / 100 != 3 || !location) {
    return {};
  }
  const auto target = spec::document::resolve_uri(exchange.url, *location);
  const auto from = spec::document::split_uri(exchange.url);
  const auto to = spec::document::split_uri(target);
  const auto path = std::string(to.path);
  if (origin_of(to) != origin_of(from)) {
    return origin_of(to);
  }
  return path.find(from.path) == std::string::npos ? origin_of(to) + path : "";
}

bool is_html(const Exchange& exchange) {
  const auto type =
      spec::http::parse_media_type(exchange.response.headers.find("Content-Type").value_or(""));
  return type && type->essence() == "text/html";
}

// Whether the contract has another content for this status, but no HTML.
bool is_foreign_page(const Operation& operation, const Exchange& exchange) {
  const auto* response = operation.response(exchange.status());
  const auto html = spec::http::parse_media_type("text/html");
  return is_html(exchange) && response != nullptr && !response->contents.empty() &&
         std::ranges::none_of(response->contents, [&html](const auto& content) {
           return spec::http::includes(content.media_type, *html);
         });
}

}  // namespace

std::optional<Signal> signal_of(const Operation& operation, const Exchange& exchange) {
  if (exchange.ending == Ending::kUntrusted) {
    return std::nullopt;
  }
  if (!exchange.answered()) {
    return Signal{Sign::kNoResponse, exchange.failure.empty()
                                         ? std::string(to_text(exchange.ending))
                                         : exchange.failure};
  }
  const int status = exchange.status();
  const auto what = named(status);
  if (status == 401 && operation.is_secured()) {
    return Signal{Sign::kRejectedToken, what};
  }
  if (is_transient(status) && status != 429) {
    return Signal{Sign::kUnavailable, what};
  }
  const auto* declared = operation.response(status);
  const bool is_declared = declared != nullptr && declared->status == status;
  if (auto away = leads_away(exchange); !away.empty() && !is_declared) {
    return Signal{Sign::kRedirected, std::move(away)};
  }
  if (status == 404) {
    return Signal{Sign::kNotFound, what};
  }
  return is_foreign_page(operation, exchange) ? std::optional(Signal{Sign::kPage, what})
                                              : std::nullopt;
}

bool may_be_tls(const Exchange& exchange) {
  if (!exchange.answered()) {
    return exchange.ending < Ending::kNoConnection;
  }
  return exchange.status() == 400 && exchange.response.body.find("HTTPS") != std::string::npos;
}

}  // namespace contract_tests::run::watch
