// The way to a record of the run's own, as the contract shows it.

#include "contract_tests/plan/own_record.hpp"

#include "contract_tests/plan/request_verdict.hpp"
#include "contract_tests/plan/reversible_changes.hpp"
#include "contract_tests/plan/subjects.hpp"
#include "spec/contract/resources/body_shapes.hpp"
#include "spec/json/number.hpp"
#include "spec/json/pointer.hpp"
#include "spec/json/read.hpp"
#include "spec/json/value.hpp"
#include "spec/schema/schema_summary.hpp"
#include "spec/text/ascii.hpp"
#include "spec/text/encoding.hpp"

#include <algorithm>
#include <cstddef>
#include <string_view>

namespace contract_tests::plan {

using nlohmann::json;
using spec::contract::Contract;
using spec::contract::Operation;
using spec::contract::Resource;
using spec::contract::Response;

namespace {

constexpr std::size_t kMaxIdentifier = 200;

// True if a request of the operation is complete with the values of its path alone.
bool needs_its_path_alone(const Operation& operation) {
  return std::ranges::none_of(operation.parameters, [](const auto& parameter) {
    return parameter.required && parameter.location != spec::contract::Location::kPath;
  });
}

// True if a request that has the values of the item's path but the last is complete.
bool has_the_same_parents(const Operation& creation, const Operation& item) {
  auto parents = parameter_names(item.segments);
  parents.pop_back();
  return parameter_names(creation.segments) == parents;
}

// An operation that leads to `item` by a link.
const Operation* linked_creation(const Contract& contract, const Operation& item) {
  const auto found = std::ranges::find_if(contract.operations(), [&](const Operation& other) {
    return other.method == "POST" && has_the_same_parents(other, item) &&
           !linked_expression(contract, other, item).empty();
  });
  return found == contract.operations().end() ? nullptr : &*found;
}

// PUT of the item, where it declares that it creates.
const Operation* put_that_creates(const Contract& contract, const Operation& item) {
  constexpr int kCreated = 201;
  const auto* put = find_operation(contract, "PUT", item.path);
  const auto* response = put == nullptr ? nullptr : put->response(kCreated);
  return response != nullptr && response->status == kCreated ? put : nullptr;
}

void find_operations(const Contract& contract, const Resource& resource, OwnRecord& own) {
  own.remove = resource.one("DELETE");
  own.read = own.remove == nullptr ? resource.one("GET")
                                   : find_operation(contract, "GET", own.remove->path);
  if (own.read == nullptr) {
    return;
  }
  own.parameter = parameter_names(own.read->segments).back();
  own.create = resource.all("POST");
  if (own.create == nullptr) {
    own.create = linked_creation(contract, *own.read);
  }
  if (own.create == nullptr) {
    own.create = put_that_creates(contract, *own.read);
  }
  own.link = own.create == nullptr ? "" : linked_expression(contract, *own.create, *own.read);
  const auto* list = resource.all("GET");
  own.list = list != nullptr && needs_its_path_alone(*list) ? list : nullptr;
}

bool is_identifier(const spec::schema::Summary& seen) {
  return seen.is_string() || seen.is_number();
}

// True if the response shows one of `members` in JSON.
bool shows_member(const Contract& contract, const Response& response,
                  const std::vector<std::string>& members) {
  const auto& summaries = contract.summaries();
  const auto has_member = [&](const spec::schema::Summary& seen) {
    return std::ranges::any_of(members, [&](const std::string& name) {
      const auto* found = seen.property(name);
      return found != nullptr && is_identifier(summaries.summary_of(*found));
    });
  };
  for (const auto& content : response.contents) {
    if (content.media_type.is_json() && content.schema) {
      const auto& seen = summaries.summary_of(*content.schema);
      if (has_member(seen) || std::ranges::any_of(seen.properties, [&](const auto& property) {
            return has_member(summaries.summary_of(property.second));
          })) {
        return true;
      }
    }
  }
  return false;
}

// True if a success of the operation shows an identifier in JSON, or Location.
bool shows_identifier(const Contract& contract, const Operation& create,
                      const std::vector<std::string>& members) {
  return std::ranges::any_of(create.responses, [&](const Response& response) {
    return response.is_success() && (shows_member(contract, response, members) ||
                                     std::ranges::any_of(response.headers, [](const auto& header) {
                                       return header.name == "Location";
                                     }));
  });
}

// A service may store a text in lower case.
bool is_same(const json& left, const json& right) {
  return left.is_string() && right.is_string()
             ? spec::text::equals_ignoring_case(left.get_ref<const std::string&>(),
                                                right.get_ref<const std::string&>())
             : spec::json::equal(left, right);
}

// "Counterpart7" of "Counterpart{}".
std::string with_number(std::string form, const std::string& number) {
  const auto at = form.find("{}");
  return at == std::string::npos ? form : form.replace(at, 2, number);
}

bool is_shown(const Contract& contract, const OwnRecord& own, const std::string& name) {
  const auto* response = own.read->response(200);
  return response != nullptr && std::ranges::any_of(response->contents, [&](const auto& content) {
           return content.schema &&
                  contract.summaries().summary_of(*content.schema).property(name) != nullptr;
         });
}

// The members of the body that may be other texts; the first that GET shows and that may be any
// text marks the record.
void find_texts(const Contract& contract, OwnRecord& own) {
  for (const auto& member : own.request.body->items()) {
    auto forms = member.value().is_string() && names_in(member.value()).empty()
                     ? texts_with("{}")
                     : std::vector<std::string>();
    std::erase_if(forms, [&](const std::string& form) {
      auto request = own.request;
      (*request.body)[member.key()] = with_number(form, "000000000000");  // as long as any
      return !validate_request(contract, *own.create, request).is_valid();
    });
    if (forms.empty()) {
      continue;
    }
    own.texts.emplace_back(member.key(), forms.front());
    if (own.marker.empty() && forms.front() == marker_text("{}") &&
        is_shown(contract, own, member.key())) {
      own.marker = member.key();
    }
  }
}

// A valid request of `create`, which chooses no identifier if it need not; false when there is
// none.
bool find_request(const Contract& contract, const PlainRequest& plain_of, OwnRecord& own) {
  auto plain = plain_of(*own.create);
  if (!plain || !plain->encoded_path.empty() || (plain->body && !plain->body->is_object())) {
    return false;
  }
  own.request = std::move(*plain);
  if (!own.request.body) {
    return true;
  }
  const auto whole = own.request.body;
  for (const auto& name : own.members) {
    own.request.body->erase(name);
  }
  if (!validate_request(contract, *own.create, own.request).is_valid()) {
    own.request.body = whole;
    return own.chooses_identifier();
  }
  find_texts(contract, own);
  return true;
}

// The members that may be the identifier, by the link, by what GET shows, and by their names.
void find_members(const Contract& contract, const Resource& resource, OwnRecord& own) {
  constexpr std::string_view kInResponse = "$response.body#/";
  std::vector<std::string> names;
  if (own.link.starts_with(kInResponse)) {
    names.push_back(own.link.substr(own.link.rfind('/') + 1));
  }
  const auto shown = spec::contract::resources::response_body(contract, *own.read);
  const auto key = shown.empty() ? std::vector<std::string>()
                                 : spec::contract::resources::key_member(
                                       contract, shown, own.parameter, resource.name);
  if (key.size() == 1) {
    names.push_back(key.front());
  }
  names.insert(names.end(), {own.parameter, "id", "_id", "uuid"});
  for (const auto& name : names) {
    if (std::ranges::find(own.members, name) == own.members.end()) {
      own.members.push_back(name);
    }
  }
  const auto* response = own.read->response(200);
  own.is_nameless = response == nullptr || !shows_member(contract, *response, own.members);
}

// The resource to whose item a link of the operation leads, where no POST of its own creates one.
const Resource* linked_resource(const Contract& contract,
                                const spec::contract::Resources& resources,
                                const Operation& operation) {
  const bool has_links = std::ranges::any_of(operation.responses, [](const Response& response) {
    return response.node.find("links").is_object();
  });
  const auto found = std::ranges::find_if(resources, [&](const auto& entry) {
    const auto* item = has_links ? entry.second.one("GET") : nullptr;
    return item != nullptr && entry.second.all("POST") == nullptr &&
           has_the_same_parents(operation, *item) &&
           !linked_expression(contract, operation, *item).empty();
  });
  return found == resources.end() ? nullptr : &found->second;
}

// The resource whose records the operation creates, changes or acts on; null if there is none.
const Resource* find_resource(const Contract& contract, const spec::contract::Resources& resources,
                              const Operation& operation) {
  const auto* resource = resource_of(resources, operation);
  const bool creates =
      operation.method == "POST" && resource != nullptr && resource->one("GET") == nullptr;
  if (const auto* linked = creates ? linked_resource(contract, resources, operation) : nullptr) {
    return linked;
  }
  const bool acts = resource != nullptr && operation.method != "GET" &&
                    resource->one("GET") == nullptr && !resource->parents.empty();
  const auto parent = acts ? resources.find(resource->parents.back()) : resources.end();
  return parent == resources.end() ? resource : &parent->second;
}

// The last segment of an address, decoded; empty where it can be no identifier.
std::optional<std::string> last_segment(std::string_view address) {
  const auto last = address.substr(address.rfind('/') + 1);
  const bool plain = last.find_first_of("?#;,") == std::string_view::npos;
  const auto decoded = plain ? spec::text::percent_decode(last) : std::nullopt;
  return decoded ? identifier_text(json(*decoded)) : std::nullopt;
}

// The value of a path parameter in a target of `operation`, counted from the end of the path.
std::optional<std::string> path_value(const Operation& operation, const std::string& name,
                                      std::string_view target) {
  auto path = spec::http::path_of(target);
  const auto at = operation.path.find('{' + name + '}');
  if (at == std::string::npos) {
    return std::nullopt;
  }
  for (auto after = std::ranges::count(operation.path.substr(at), '/'); after > 0; --after) {
    path = path.substr(0, std::min(path.rfind('/'), path.size()));
  }
  return last_segment(path);
}

// The value of a runtime expression; empty if it has none. Source: OpenAPI 3.1.0 §4.8.20.4.
std::optional<std::string> evaluate(const OwnRecord& own, const spec::http::Request& request,
                                    const spec::http::Response& response) {
  std::string_view rest = own.link;
  const auto takes = [&rest](std::string_view start) {
    const bool has = rest.starts_with(start);
    rest.remove_prefix(has ? start.size() : 0);
    return has;
  };
  const bool of_request = takes("$request.");
  if (!of_request && !takes("$response.")) {
    return std::nullopt;
  }
  if (takes("body#")) {
    const auto body = spec::json::read(of_request ? request.body : response.body);
    const auto* value = body ? spec::json::find(body.value(), rest) : nullptr;
    return value == nullptr ? std::nullopt : identifier_text(*value);
  }
  if (takes("header.")) {
    return last_segment((of_request ? request.headers : response.headers).find(rest).value_or(""));
  }
  return of_request && takes("path.") ? path_value(*own.create, std::string(rest), request.target)
                                      : std::nullopt;
}

}  // namespace

OwnRecord own_record_of(const Contract& contract, const spec::contract::Resources& resources,
                        const Operation& operation, const PlainRequest& plain_of) {
  OwnRecord own;
  const auto* resource = find_resource(contract, resources, operation);
  if (resource != nullptr) {
    find_operations(contract, *resource, own);
  }
  const bool complete = own.create != nullptr && own.read != nullptr;
  const bool acts = resource != resource_of(resources, operation) &&
                    operation.path.find('{' + own.parameter + '}') != std::string::npos;
  if (!complete || !(acts || own.is_created_by(operation.id) || own.is_of_item(operation))) {
    own.why_not =
        "the contract has no POST and GET by which the run could create a record and "
        "find it";
    return own;
  }
  find_members(contract, *resource, own);
  if (!own.chooses_identifier() && own.link.empty() &&
      !shows_identifier(contract, *own.create, own.members)) {
    own.why_not = own.create->name +
                  " does not show the identifier of what it creates, so that could not be removed";
  } else if (!find_request(contract, plain_of, own)) {
    own.why_not = "no body for " + own.create->name +
                  " could be made that is a JSON object and leaves the identifier to the service";
  }
  own.request.path.clear();
  return own;
}

std::optional<std::string> identifier_text(const json& value) {
  auto text = value.is_string()               ? value.get<std::string>()
              : spec::json::is_integer(value) ? spec::json::number_key(value)
                                              : std::string();
  const bool usable = !text.empty() && text.size() <= kMaxIdentifier &&
                      text.find("${") == std::string::npos &&
                      text.find('\0') == std::string::npos && text != "." && text != "..";
  return usable ? std::optional(std::move(text)) : std::nullopt;
}

std::optional<std::string> identifier_of(const OwnRecord& own, const json& record) {
  for (const auto& name : own.members) {
    if (record.is_object() && record.contains(name)) {
      return identifier_text(record.at(name));
    }
  }
  return std::nullopt;
}

const json* record_in(const OwnRecord& own, const json& body) {
  if (!body.is_object() || identifier_of(own, body)) {
    return body.is_object() ? &body : nullptr;
  }
  const json* inner = nullptr;
  bool is_lone = true;  // of two, neither is known to be the record
  for (const auto& value : body) {
    is_lone = is_lone && !(value.is_object() && inner != nullptr);
    inner = value.is_object() ? &value : inner;
  }
  if (is_lone && inner != nullptr && identifier_of(own, *inner)) {
    return inner;
  }
  return own.is_nameless ? &body : nullptr;
}

std::optional<std::string> identifier_in(const OwnRecord& own, const spec::http::Request& request,
                                         const spec::http::Response& response) {
  if (own.create != nullptr && own.chooses_identifier()) {
    return path_value(*own.create, own.parameter, request.target);
  }
  if (auto linked = evaluate(own, request, response)) {
    return linked;
  }
  const auto body = spec::json::read(response.body);
  const auto* record = body ? record_in(own, body.value()) : nullptr;
  const auto named = record == nullptr ? std::nullopt : identifier_of(own, *record);
  return named ? named : last_segment(response.headers.find("Location").value_or(""));
}

bool shows(const OwnRecord& own, const json& record, const json& sent,
           const std::string& identifier) {
  const auto named = identifier_of(own, record);
  if (named && *named != identifier) {
    return false;
  }
  std::ptrdiff_t balance = 0;
  bool marker = true;
  for (const auto& [name, value] : sent.items()) {
    if (value.is_primitive() && record.contains(name)) {
      const bool same = is_same(record.at(name), value);
      balance += same ? 1 : -1;
      marker = marker && (same || name != own.marker);
    }
  }
  return marker && balance >= 0;
}

std::string why_about_others(const OwnRecord& own, const RequestPlan& request,
                             const std::function<bool(const json&)>& allowed) {
  const auto raw = spec::json::read(std::string_view(request.raw_body.value_or("null")));
  const json body = request.body ? *request.body : raw ? raw.value() : json();
  if (body.is_array()) {
    return "its body is an array, which may be about many records";
  }
  const bool names_other = std::ranges::any_of(own.members, [&](const std::string& name) {
    return body.is_object() && body.contains(name) && !allowed(body.at(name));
  });
  return names_other ? "its body has the identifier of another record, which it may change" : "";
}

std::string unused_identifier(const std::string& identifier) {
  constexpr long long kFar = 1'000'003;
  const auto number = spec::text::parse_number<long long>(identifier);
  if (number) {
    return std::to_string(*number + kFar);
  }
  constexpr std::size_t kUuid = 36;
  auto text = unknown_like(identifier);
  for (const std::size_t at : {std::size_t{14}, std::size_t{19}}) {
    if (identifier.size() == kUuid && text.size() == kUuid) {
      text[at] = identifier[at];  // version and variant
    }
  }
  return text;
}

std::string marker_text(const std::string& number) {
  return "Counterpart" + number;
}

std::vector<std::string> texts_with(const std::string& number) {
  return {marker_text(number),
          "c" + number + "@counterpart.example",
          "https://counterpart.example/" + number,
          "00000000-0000-4000-8000-" + number,
          "counterpart-" + number,
          number};
}

RequestPlan with_texts(const OwnRecord& own, RequestPlan request, const std::string& number) {
  for (const auto& [name, form] : own.texts) {
    (*request.body)[name] = with_number(form, number);
  }
  return request;
}

}  // namespace contract_tests::plan
