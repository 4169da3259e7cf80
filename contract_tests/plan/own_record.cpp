#include "contract_tests/plan/own_record.hpp"

#include "contract_tests/plan/derived.hpp"
#include "contract_tests/plan/generated_plan.hpp"
#include "contract_tests/plan/request_verdict.hpp"
#include "contract_tests/plan/restoration.hpp"
#include "spec/json/number.hpp"
#include "spec/json/read.hpp"
#include "spec/json/value.hpp"
#include "spec/schema/schema_summary.hpp"
#include "spec/text/ascii.hpp"
#include "spec/text/encoding.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstddef>

namespace contract_tests::plan {

using nlohmann::json;
using spec::contract::Contract;
using spec::contract::Resource;
using spec::contract::Response;

namespace {

using spec::contract::Operation;

constexpr std::size_t kMaxIdentifier = 200;

// Whether a request of the operation is complete with the values of its path alone.
bool needs_its_path_alone(const Operation& operation) {
  return std::ranges::none_of(operation.parameters, [](const auto& parameter) {
    return parameter.required && parameter.location != spec::contract::Location::kPath;
  });
}

// POST and GET of the collection, GET and DELETE of its item.
void find_operations(const Contract& contract, const Resource& resource, OwnRecord& own) {
  own.remove = resource.one("DELETE");
  if (own.remove == nullptr) {
    return;
  }
  own.parameter = parameter_names(own.remove->segments).back();
  own.read = find_operation(contract, "GET", own.remove->path);
  own.create = resource.all("POST");
  const auto* list = resource.all("GET");
  own.list = list != nullptr && needs_its_path_alone(*list) ? list : nullptr;
}

bool is_identifier(const spec::schema::Summary& seen) {
  return seen.is_string() || seen.is_number();
}

// Whether a response that is a success shows one of `members`, or Location.
bool shows_identifier(const Contract& contract, const Response& response,
                      const std::vector<std::string>& members) {
  const auto& summaries = contract.summaries();
  const auto has_member = [&](const spec::schema::Summary& seen) {
    return std::ranges::any_of(members, [&](const std::string& name) {
      const auto* found = seen.property(name);
      return found != nullptr && is_identifier(summaries.of(*found));
    });
  };
  for (const auto& content : response.contents) {
    if (content.media_type.is_json() && content.schema) {
      const auto& seen = summaries.of(*content.schema);
      if (has_member(seen) || std::ranges::any_of(seen.properties, [&](const auto& property) {
            return has_member(summaries.of(property.second));
          })) {
        return true;
      }
    }
  }
  return std::ranges::any_of(response.headers,
                             [](const auto& header) { return header.name == "Location"; });
}

// A service may store a text in lower case.
bool is_same(const json& left, const json& right) {
  return left.is_string() && right.is_string()
             ? spec::text::equals_ignoring_case(left.get_ref<const std::string&>(),
                                                right.get_ref<const std::string&>())
             : spec::json::equal(left, right);
}

// The first member that may be any text, so that the record can be marked by it.
std::string find_marker(const Contract& contract, const OwnRecord& own) {
  const auto* response = own.read->response(200);
  for (const auto& member : own.request.body->items()) {
    auto marked = own.request;
    (*marked.body)[member.key()] = marker_text("000000000000");  // as long as any
    const bool shown =
        response != nullptr && std::ranges::any_of(response->contents, [&](const auto& content) {
          return content.schema &&
                 contract.summaries().of(*content.schema).property(member.key()) != nullptr;
        });
    if (member.value().is_string() && shown &&
        validate_request(contract, *own.create, marked).is_valid()) {
      return member.key();
    }
  }
  return {};
}

// A valid request of `create`, which chooses no identifier; false when there is none.
bool find_request(const Contract& contract, const spec::schema::generate::Generator& generator,
                  OwnRecord& own) {
  auto drawn = generated_plain(contract, generator, *own.create);
  if (!drawn || !drawn->request.body || !drawn->request.body->is_object() ||
      !drawn->request.encoded_path.empty()) {
    return false;
  }
  own.request = std::move(drawn->request);
  own.request.path.clear();
  for (const auto& name : own.members) {
    own.request.body->erase(name);
  }
  if (!validate_request(contract, *own.create, own.request).is_valid()) {
    return false;
  }
  own.marker = find_marker(contract, own);
  return true;
}

}  // namespace

OwnRecord own_record_of(const Contract& contract,
                        const spec::schema::generate::Generator& generator,
                        const Resource* resource, const Operation& operation) {
  OwnRecord own;
  if (resource != nullptr) {
    find_operations(contract, *resource, own);
  }
  const bool complete = own.create != nullptr && own.read != nullptr && own.remove != nullptr;
  if (!complete || (operation.id != own.create->id && operation.path != own.remove->path)) {
    own.why_not =
        "the contract has no POST, GET and DELETE by which the run could create a record, "
        "find it and remove it";
    return own;
  }
  for (const std::string& name :
       {own.parameter, std::string("id"), std::string("_id"), std::string("uuid")}) {
    if (std::ranges::find(own.members, name) == own.members.end()) {
      own.members.push_back(name);
    }
  }
  const bool shown = std::ranges::any_of(own.create->responses, [&](const Response& response) {
    return response.is_success() && shows_identifier(contract, response, own.members);
  });
  if (!shown) {
    own.why_not = own.create->name +
                  " does not show the identifier of what it creates, so that could not be removed";
  } else if (!find_request(contract, generator, own)) {
    own.why_not = "no body for " + own.create->name +
                  " could be made that is a JSON object and leaves the identifier to the service";
  }
  return own;
}

std::optional<std::string> identifier_text(const json& value) {
  auto text = value.is_string()               ? value.get<std::string>()
              : spec::json::is_integer(value) ? spec::json::number_key(value)
                                              : std::string();
  const bool usable = !text.empty() && text.size() <= kMaxIdentifier &&
                      text.find("${") == std::string::npos && text != "." && text != "..";
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
  for (const auto& value : body) {
    if (value.is_object() && inner != nullptr) {
      return nullptr;  // of two, neither is known to be the record
    }
    inner = value.is_object() ? &value : inner;
  }
  return inner != nullptr && identifier_of(own, *inner) ? inner : nullptr;
}

std::optional<std::string> identifier_in(const OwnRecord& own,
                                         const spec::http::Response& response) {
  const auto body = spec::json::read(response.body);
  if (const auto* record = body ? record_in(own, body.value()) : nullptr) {
    return identifier_of(own, *record);
  }
  const auto location = response.headers.find("Location").value_or("");
  const auto last = location.substr(location.rfind('/') + 1);
  const bool plain = last.find_first_of("?#;,") == std::string_view::npos;
  const auto decoded = plain ? spec::text::percent_decode(last) : std::nullopt;
  return decoded ? identifier_text(json(*decoded)) : std::nullopt;
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
  return number ? std::to_string(*number + kFar) : unknown_like(identifier);
}

std::string marker_text(const std::string& number) {
  return "Counterpart" + number;
}

}  // namespace contract_tests::plan
