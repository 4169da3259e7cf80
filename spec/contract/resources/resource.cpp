#include "spec/contract/resources/resource.hpp"

#include "spec/document/document.hpp"
#include "spec/text/encoding.hpp"

#include <algorithm>
#include <optional>
#include <utility>

namespace spec::contract {
namespace {

// "People('{name}')" and "Trips({id})" as the text before the brackets and the parameter; none for
// another segment. Source: OData 4.01 URL Conventions §4.3.1.
std::optional<Segment> split_brackets(const Segment& segment) {
  if (segment.size() != 3 || !segment[1].is_parameter) {
    return std::nullopt;
  }
  const std::string_view before = segment[0].text;
  for (const auto& [open, close] : {std::pair<std::string_view, std::string_view>{"('", "')"},
                                    std::pair<std::string_view, std::string_view>{"(", ")"}}) {
    if (before.ends_with(open) && before.size() > open.size() && segment[2].text == close) {
      return Segment{{std::string(before.substr(0, before.size() - open.size())), false},
                     segment[1]};
    }
  }
  return std::nullopt;
}

// "{id}:cancel" as the parameter and the text after the colon; none for another segment.
// Source: google.aip.dev/136.
std::optional<Segment> split_verb(const Segment& segment) {
  const bool has_verb = segment.size() == 2 && segment[0].is_parameter &&
                        segment[1].text.starts_with(':') && segment[1].text.size() > 1;
  return has_verb ? std::optional(Segment{segment[0], {segment[1].text.substr(1), false}})
                  : std::nullopt;
}

// The texts and parameters of the path, without a slash and a format at its end. None for a path
// with another segment that is text and parameter, "{owner}:{name}".
std::optional<std::vector<SegmentPart>> parts_of(std::vector<Segment> segments) {
  constexpr std::string_view kFormat = ".json";
  if (!segments.empty() && !segments.back().empty()) {
    auto& last = segments.back().back();
    if (!last.is_parameter && last.text.ends_with(kFormat)) {
      last.text.resize(last.text.size() - kFormat.size());
    }
    if (last.text.empty()) {
      segments.back().pop_back();  // "{id}.json"
    }
  }
  if (!segments.empty() && segments.back().empty()) {
    segments.pop_back();  // "/pets/"
  }
  std::vector<SegmentPart> parts;
  for (const Segment& segment : segments) {
    auto split = split_brackets(segment);
    split = split ? std::move(split) : split_verb(segment);
    if (split) {
      parts.insert(parts.end(), split->begin(), split->end());
    } else if (segment.size() > 1) {
      return std::nullopt;
    } else {
      parts.push_back(segment.empty() ? SegmentPart{} : segment.front());
    }
  }
  return parts;
}

// The resource of an operation, and whether the operation is about one of several.
struct Membership {
  Resource resource;
  bool is_of_one = false;
};

// None if its path names no resource.
std::optional<Membership> membership_of(const Operation& operation) {
  auto parts = parts_of(operation.segments).value_or(std::vector<SegmentPart>());
  const bool is_of_one = !parts.empty() && parts.back().is_parameter;
  if (is_of_one) {
    parts.pop_back();
  }
  if (parts.empty() || parts.back().is_parameter) {
    return std::nullopt;
  }
  Membership member{{}, is_of_one};
  for (const SegmentPart& part : parts) {
    if (part.is_parameter) {
      member.resource.parents.push_back(member.resource.form);
    }
    member.resource.form += '/' + (part.is_parameter ? std::string("{}") : part.text);
  }
  member.resource.name = parts.back().text;
  return member;
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

Resources resources_of(const Contract& contract) {
  Resources all;
  for (const Operation& operation : contract.operations()) {
    if (const auto member = membership_of(operation)) {
      Resource& kept = all.try_emplace(member->resource.form, member->resource).first->second;
      (member->is_of_one ? kept.of_one : kept.of_all).push_back(&operation);
    }
  }
  return all;
}

const Resource* resource_of(const Resources& resources, const Operation& operation) {
  const auto member = membership_of(operation);
  const auto found = member ? resources.find(member->resource.form) : resources.end();
  return found == resources.end() ? nullptr : &found->second;
}

namespace {

// The operation of the link's "operationId", or of an "operationRef" to this document; null if
// there is none. Source: OpenAPI 3.1.0 §4.8.20.
const Operation* operation_of_link(const Contract& contract, const document::Node& link) {
  if (const auto id = link.find("operationId"); id.is_string()) {
    return contract.operation(id.string());
  }
  const auto reference = link.find("operationRef");
  if (!reference.is_string() || !reference.string().starts_with('#')) {
    return nullptr;
  }
  const auto pointer = text::percent_decode(reference.string().substr(1));
  const auto node = document::nearest_below(contract.root(), pointer.value_or(""));
  const auto& operations = contract.operations();
  const auto found = std::ranges::find(operations, node, &Operation::node);
  return found != operations.end() ? &*found : nullptr;
}

}  // namespace

std::string linked_expression(const Contract& contract, const Operation& creation,
                              const Operation& target) {
  const std::string key = parameter_names(target.segments).back();
  for (const auto& response : creation.responses) {
    for (const auto& link : response.node.find("links").members()) {
      if (operation_of_link(contract, link.value) != &target) {
        continue;
      }
      const auto parameters = link.value.find("parameters");
      const auto named = parameters.find(key);
      const auto given = named ? named : parameters.find("path." + key);
      if (given.is_string()) {
        return std::string(given.string());
      }
    }
  }
  return "";
}

std::string linked_member(const Contract& contract, const Resource& resource) {
  constexpr std::string_view kBody = "$response.body#/";
  const Operation* const creation = resource.all("POST");
  for (const Operation* const target :
       creation == nullptr ? std::vector<const Operation*>() : resource.of_one) {
    const auto given = linked_expression(contract, *creation, *target);
    if (given.starts_with(kBody) && given.find('/', kBody.size()) == std::string::npos) {
      return given.substr(kBody.size());
    }
  }
  return "";
}

}  // namespace spec::contract
