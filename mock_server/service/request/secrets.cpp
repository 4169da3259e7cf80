#include "mock_server/service/request/secrets.hpp"

#include "mock_server/state/journal.hpp"
#include "spec/contract/checking/request_credentials.hpp"
#include "spec/http/form.hpp"
#include "spec/json/pointer.hpp"
#include "spec/text/ascii.hpp"

#include <algorithm>
#include <set>

namespace mock_server::service::request {
namespace {

using spec::contract::Location;

}  // namespace

Secrets::Secrets(const spec::contract::Contract& contract) {
  std::set<std::string> fields;
  for (const auto& [location, name] : spec::contract::api_keys(contract)) {
    switch (location) {
      case Location::kQuery: parameters_.push_back(name); break;
      case Location::kHeader: fields.insert(name); break;
      case Location::kCookie: fields.insert("Cookie"); break;
      case Location::kPath: break;
    }
  }
  fields_.assign(fields.begin(), fields.end());
}

bool Secrets::concerns(const spec::contract::Violation& violation) const {
  using spec::contract::Part;
  const auto tokens = spec::json::split_pointer(violation.instance);
  const std::string name = tokens && !tokens->empty() ? tokens->front() : "";
  const auto is_it = [&name](const std::string& one) {
    return spec::text::equals_ignoring_case(one, name);
  };
  switch (violation.part) {
    case Part::kQuery: return std::ranges::find(parameters_, name) != parameters_.end();
    case Part::kHeader: return std::ranges::any_of(fields_, is_it);
    case Part::kCookie: return std::ranges::find(fields_, "Cookie") != fields_.end();
    case Part::kPath:
    case Part::kBody:
    case Part::kStatus:
    case Part::kMediaType:
    case Part::kFraming:
    case Part::kSecurity: break;
  }
  return false;
}

std::string Secrets::hide(std::string_view target) const {
  const std::size_t mark = target.find('?');
  if (parameters_.empty() || mark == std::string_view::npos) {
    return "";
  }
  std::string shown(target.substr(0, mark));
  bool any = false;
  for (const spec::http::FormPair& pair : spec::http::split_form(target.substr(mark + 1))) {
    const bool secret =
        pair.has_equals && std::ranges::find(parameters_, pair.name) != parameters_.end();
    any = any || secret;
    shown += shown.size() == mark ? '?' : '&';
    shown += secret ? pair.text.substr(0, pair.text.size() - pair.value.size()) : pair.text;
    shown += secret ? state::kHidden : "";
  }
  return any ? shown : "";
}

}  // namespace mock_server::service::request
