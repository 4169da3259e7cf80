#include "mock_server/inference/resources.hpp"

#include <algorithm>
#include <optional>
#include <string_view>
#include <utility>

namespace mock_server::inference {
namespace {

using spec::contract::Operation;

struct Segment {
  std::string text;  // of a parameter, its name
  bool is_parameter = false;
};

// The text before the brackets and the parameter in them, of "People('{name}')" or "Trips({id})";
// nothing for another text. Source: OData 4.01 URL Conventions §4.3.1.
std::optional<std::pair<std::string, std::string>> split_brackets(std::string_view part) {
  const std::size_t bracket = part.find('(');
  if (bracket == std::string_view::npos || bracket == 0 || !part.ends_with(')')) {
    return std::nullopt;
  }
  std::string_view inner = part.substr(bracket + 1, part.size() - bracket - 2);
  if (inner.size() > 1 && inner.starts_with('\'') && inner.ends_with('\'')) {
    inner = inner.substr(1, inner.size() - 2);
  }
  const bool is_parameter = inner.starts_with('{') && inner.find('}') == inner.size() - 1;
  return is_parameter ? std::optional(std::pair(std::string(part.substr(0, bracket)),
                                                std::string(inner.substr(1, inner.size() - 2))))
                      : std::nullopt;
}

// Nothing for a path with another segment that is text and parameter, "{owner}:{name}". An ending
// that is a format, "/pets.json" and "/pets/{id}.json", is left out.
std::optional<std::vector<Segment>> split(std::string_view path) {
  constexpr std::string_view kEnding = ".json";
  if (path.ends_with(kEnding)) {
    path.remove_suffix(kEnding.size());
  }
  std::vector<Segment> segments;
  while (!path.empty()) {
    path.remove_prefix(1);  // the slash
    const std::size_t end = std::min(path.find('/'), path.size());
    const std::string_view part = path.substr(0, end);
    path.remove_prefix(end);
    if (part.empty() && path.empty()) {
      break;  // "/pets/"
    }
    const std::size_t open = part.find('{');
    if (open == std::string_view::npos) {
      segments.push_back({std::string(part), false});
    } else if (open == 0 && part.find('}') == part.size() - 1) {
      segments.push_back({std::string(part.substr(1, part.size() - 2)), true});
    } else if (const auto brackets = split_brackets(part)) {
      segments.push_back({brackets->first, false});
      segments.push_back({brackets->second, true});
    } else {
      return std::nullopt;
    }
  }
  return segments;
}

void add(std::map<std::string, Resource>& all, const Operation& operation) {
  auto segments = split(operation.path);
  if (!segments || segments->empty()) {
    return;
  }
  const bool is_of_one = segments->back().is_parameter;
  if (is_of_one) {
    segments->pop_back();
  }
  if (segments->empty() || segments->back().is_parameter) {
    return;
  }
  Resource resource;
  for (const Segment& segment : *segments) {
    if (segment.is_parameter) {
      resource.parents.push_back(resource.form);
    }
    resource.form += '/' + (segment.is_parameter ? std::string("{}") : segment.text);
  }
  resource.name = segments->back().text;
  Resource& kept = all.try_emplace(resource.form, resource).first->second;
  (is_of_one ? kept.of_one : kept.of_all).push_back(&operation);
}

const Operation* with_method(const std::vector<const Operation*>& operations,
                             std::string_view method) {
  const auto found = std::ranges::find(operations, method, &Operation::method);
  return found == operations.end() ? nullptr : *found;
}

}  // namespace

const Operation* Resource::all(std::string_view method) const {
  return with_method(of_all, method);
}

const Operation* Resource::one(std::string_view method) const {
  return with_method(of_one, method);
}

std::map<std::string, Resource> resources_of(const spec::contract::Contract& contract) {
  std::map<std::string, Resource> all;
  for (const Operation& operation : contract.operations()) {
    add(all, operation);
  }
  return all;
}

std::string linked_member(const spec::contract::Contract& contract, const Resource& resource) {
  constexpr std::string_view kBody = "$response.body#/";
  const Operation* const creation = resource.all("POST");
  if (creation == nullptr) {
    return "";
  }
  for (const auto& response : creation->responses) {
    for (const auto& link : response.node.find("links").members()) {
      const auto id = link.value.find("operationId");
      const auto* const target = id.is_string() ? contract.operation(id.string()) : nullptr;
      if (target == nullptr ||
          std::ranges::find(resource.of_one, target) == resource.of_one.end()) {
        continue;
      }
      const auto parameters = link.value.find("parameters");
      const auto given = parameters.find(path_parameters(*target).back());
      if (given.is_string() && given.string().starts_with(kBody)) {
        const std::string member(given.string().substr(kBody.size()));
        return member.find('/') == std::string::npos ? member : "";
      }
    }
  }
  return "";
}

std::vector<std::string> path_parameters(const Operation& operation) {
  std::vector<std::string> names;
  for (const Segment& segment : split(operation.path).value_or(std::vector<Segment>{})) {
    if (segment.is_parameter) {
      names.push_back(segment.text);
    }
  }
  return names;
}

}  // namespace mock_server::inference
