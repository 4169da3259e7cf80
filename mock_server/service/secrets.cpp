#include "mock_server/service/secrets.hpp"

#include "mock_server/state/journal.hpp"
#include "spec/contract/checking/credentials.hpp"
#include "spec/json/pointer.hpp"
#include "spec/text/ascii.hpp"
#include "spec/text/encoding.hpp"

#include <algorithm>
#include <set>

namespace mock_server::service {
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
    default: return false;
  }
}

std::string Secrets::hide(std::string_view target) const {
  const std::size_t mark = target.find('?');
  if (parameters_.empty() || mark == std::string_view::npos) {
    return "";
  }
  std::string shown(target.substr(0, mark));
  bool any = false;
  char before = '?';
  std::string_view query = target.substr(mark + 1);
  while (!query.empty()) {
    const std::string_view pair = query.substr(0, query.find('&'));
    query.remove_prefix(std::min(query.size(), pair.size() + 1));
    const std::size_t equals = pair.find('=');
    const auto name = spec::text::percent_decode(pair.substr(0, equals), true);
    const bool secret = equals != std::string_view::npos && name &&
                        std::ranges::find(parameters_, *name) != parameters_.end();
    any = any || secret;
    shown += before;
    shown += secret ? std::string(pair.substr(0, equals + 1)) + std::string(state::kHidden)
                    : std::string(pair);
    before = '&';
  }
  return any ? shown : "";
}

}  // namespace mock_server::service
