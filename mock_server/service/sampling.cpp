#include "mock_server/service/sampling.hpp"

#include "mock_server/service/seed.hpp"
#include "spec/contract/samples/message.hpp"
#include "spec/json/number.hpp"
#include "spec/json/value.hpp"

#include <algorithm>
#include <string_view>

namespace mock_server::service {
namespace {

using spec::schema::samples::Given;

// "customer" for "customers", "category" for "categories".
std::string singular(std::string_view plural) {
  if (plural.ends_with("ies")) {
    return std::string(plural.substr(0, plural.size() - 3)) + 'y';
  }
  return std::string(plural.ends_with('s') ? plural.substr(0, plural.size() - 1) : plural);
}

// What else the last value of the path is called in an answer: "id", and "customer_id" behind
// "/customers/".
std::vector<std::string> aliases(std::string_view path) {
  if (!path.ends_with('}')) {
    return {};
  }
  std::vector<std::string> names{"id"};
  const std::size_t open = path.rfind("/{");
  if (open == std::string_view::npos || open == 0) {
    return names;
  }
  const std::size_t slash = path.rfind('/', open - 1);
  const std::string before = singular(path.substr(slash + 1, open - slash - 1));
  if (!before.empty() && before.find('{') == std::string::npos) {
    names.push_back(before + "_id");
    names.push_back(before + "Id");
  }
  return names;
}

void give(std::vector<Given>& given, const std::string& name, const std::string& value) {
  given.emplace_back(name, value);
  if (spec::json::is_number_text(value)) {
    given.emplace_back(name, spec::json::make_number(value));
  }
}

}  // namespace

Sampling::Sampling(const Call& call) {
  for (const auto& [name, value] : call.path_values) {
    give(given_, name, value);
  }
  if (!call.path_values.empty()) {
    key_ = spec::json::write(call.path_values.back().second);
    for (const std::string& name : aliases(call.operation->path)) {
      give(given_, name, call.path_values.back().second);
    }
  }
  options_.seed = call.wishes.seed.value_or(seed_of(call));
  options_.key = key_;
  options_.direction = spec::schema::Direction::kResponse;
  options_.use_examples = !call.wishes.dynamic;
  options_.given = &given_;
  options_.later = dates_moved_by(call);
}

void Sampling::echo(nlohmann::json& example) const {
  if (!example.is_object()) {
    return;
  }
  for (const auto& [name, value] : given_) {
    const auto member = example.find(name);
    if (member == example.end()) {
      continue;
    }
    const bool same_type =
        (member->is_string() && value.is_string()) || (member->is_number() && value.is_number());
    if (same_type) {
      *member = value;
    }
  }
}

void add_declared_headers(const Call& call, spec::http::Response& response) {
  const auto* const answer = call.operation->answer(response.status);
  const bool lacks_one =
      answer != nullptr && std::ranges::any_of(answer->headers, [&response](const auto& header) {
        return !response.headers.has(header.name);
      });
  if (lacks_one) {
    const Sampling sampling(call);
    spec::contract::samples::add_declared_headers(call.samples.sampler(),
                                                  {call.world.contract, *answer, call.path},
                                                  sampling.options(), response);
  }
}

}  // namespace mock_server::service
