#include "spec/har/api_place.hpp"

#include "spec/text/ascii.hpp"

#include <algorithm>
#include <string_view>
#include <utility>

namespace spec::har {

bool take_base(Call& call, const net::BaseUrl& base) {
  const auto origin = net::parse_base_url(call.origin);
  if (!origin || origin->tls != base.tls || origin->port != base.port ||
      !text::equals_ignoring_case(origin->host, base.host)) {
    return false;
  }
  const std::string whole = origin->prefix + call.request.target;
  if (base.prefix.empty() || !whole.starts_with(base.prefix)) {
    return true;
  }
  const auto rest = std::string_view(whole).substr(base.prefix.size());
  if (rest.empty() || rest.starts_with('/') || rest.starts_with('?')) {
    call.origin = base.text();
    call.request.target = (rest.starts_with('/') ? "" : "/") + std::string(rest);
  }
  return true;
}

bool ApiPlace::is_found(const Call& call, std::string_view path) const {
  return contract_.route(call.request.method, path).kind == contract::Match::Kind::kFound;
}

void ApiPlace::count(Counts& counts, std::string place) const {
  ++counts.try_emplace(std::move(place), Count{0, seen_}).first->second.calls;
}

void ApiPlace::add(const Call& call) {
  ++seen_;
  const std::string_view path = http::path_of(call.request.target);
  if (is_found(call, path)) {
    count(origins_, call.origin);
    return;
  }
  for (auto at = path.find('/', 1); at != std::string_view::npos; at = path.find('/', at + 1)) {
    if (is_found(call, path.substr(at))) {
      count(bases_, call.origin + std::string(path.substr(0, at)));
      return;
    }
  }
}

std::string ApiPlace::most_frequent(const Counts& counts) {
  const auto best = std::ranges::max_element(counts, [](const auto& one, const auto& other) {
    return std::pair(one.second.calls, other.second.first) <
           std::pair(other.second.calls, one.second.first);
  });
  return best == counts.end() ? "" : best->first;
}

}  // namespace spec::har
