#include "contract_tests/plan/reversible_changes.hpp"

#include "contract_tests/plan/generated_plan.hpp"
#include "contract_tests/plan/request_verdict.hpp"
#include "contract_tests/plan/rule_book.hpp"
#include "contract_tests/plan/subjects.hpp"
#include "spec/http/media_type.hpp"
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
using spec::contract::MediaTypeObject;
using spec::contract::Operation;
using spec::contract::Resource;
using spec::contract::Response;
using spec::schema::Summary;

namespace {

using spec::contract::Operation;

constexpr std::size_t kMaxIdentifier = 200;

// True if a request of the operation is complete with the values of its path alone.
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

// True if a response that is a success shows one of `members`, or Location.
bool shows_identifier(const Contract& contract, const Response& response,
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
                 contract.summaries().summary_of(*content.schema).property(member.key()) != nullptr;
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

using Properties = decltype(Summary::properties);

namespace {

constexpr int kMaxDepth =
    8;  // members nested deeper are not looked at: the record counts as hidden

// Schemas of two sides, and what they say.
class WriteAndReadSchemas {
 public:
  explicit WriteAndReadSchemas(const Contract& contract) : summaries_(contract.summaries()) {}

  // The summary of the JSON object among `contents`; null if there is none.
  const Summary* object_in(const std::vector<MediaTypeObject>& contents) {
    for (const auto& content : contents) {
      if (content.media_type.is_json() && content.schema) {
        const auto& seen = summaries_.summary_of(*content.schema);
        if (seen.is_object() || !seen.properties.empty()) {
          return &seen;
        }
      }
    }
    return nullptr;
  }

  // The first member that `writes` writes and `shows` does not show; "" when all are shown.
  std::string hidden_member(const Summary& writes, const Summary& shows, int depth = 0) {
    if (!writes.elements.empty() && depth <= kMaxDepth) {
      return hidden_member(summaries_.summary_of(writes.elements),
                           summaries_.summary_of(shows.elements), depth + 1);
    }
    for (const auto& [name, schemas] : writes.properties) {
      const auto& written = summaries_.summary_of(schemas);
      const auto* found = shows.property(name);
      if (depth > kMaxDepth || found == nullptr || written.write_only ||
          summaries_.summary_of(*found).write_only) {
        return name;
      }
      if (auto inner = hidden_member(written, summaries_.summary_of(*found), depth + 1);
          !inner.empty()) {
        return inner.insert(0, name + '/');
      }
    }
    return {};
  }

  bool is_read_only(const spec::schema::Schemas& schemas) {
    return summaries_.summary_of(schemas).read_only;
  }

  // Why `write` writes what GET does not show, or nothing that is known; "" when it shows all.
  std::string unseen(const Operation& write, const Summary& shown) {
    const auto* written = write.body ? object_in(write.body->contents) : nullptr;
    if (written == nullptr || written->properties.empty()) {
      return "its body is not a JSON object with known members, so the change could not be undone";
    }
    const auto hidden = hidden_member(*written, shown);
    return hidden.empty()
               ? ""
               : "it may change \"" + hidden +
                     "\", which GET of the same path does not show, so the change could not "
                     "be undone";
  }

 private:
  const spec::schema::Summaries& summaries_;
};

std::string lasting_method(const Operation& operation) {
  if (operation.method == "PUT" || operation.method == "PATCH") {
    return {};
  }
  if (operation.method == "POST") {
    return "it may create something or start an action, which could not be undone";
  }
  if (operation.method == "DELETE") {
    return "it may delete something, which could not be undone";
  }
  return "the effect of " + operation.method + " is unknown, so it could not be undone";
}

bool names_a_record(const Operation& operation) {
  return operation.path.substr(operation.path.rfind('/') + 1).find('{') != std::string::npos;
}

}  // namespace

const Operation* find_operation(const Contract& contract, std::string_view method,
                                std::string_view path) {
  const auto found = std::ranges::find_if(contract.operations(), [&](const Operation& other) {
    return other.method == method && other.path == path;
  });
  return found == contract.operations().end() ? nullptr : &*found;
}

Restoration restoration_of(const Contract& contract, const Operation& operation) {
  Restoration how;
  how.why_not = lasting_method(operation);
  if (!how.why_not.empty()) {
    return how;
  }
  if (!names_a_record(operation)) {
    how.why_not = "its path does not name a single record, so the change could not be undone";
    return how;
  }
  how.read = find_operation(contract, "GET", operation.path);
  const auto* response = how.read == nullptr ? nullptr : how.read->response(200);
  WriteAndReadSchemas sides(contract);
  const auto* shown = response == nullptr ? nullptr : sides.object_in(response->contents);
  if (shown == nullptr) {
    how.why_not =
        "no GET of the same path returns the record as a JSON object, so the change could "
        "not be undone";
    return how;
  }
  how.why_not = sides.unseen(operation, *shown);
  const auto* put = find_operation(contract, "PUT", operation.path);
  how.write = put != nullptr && sides.unseen(*put, *shown).empty() ? put : &operation;
  const auto* written = how.write->body ? sides.object_in(how.write->body->contents) : nullptr;
  for (const auto& [name, schemas] : written == nullptr ? Properties{} : written->properties) {
    if (!sides.is_read_only(schemas)) {
      how.members.push_back(name);
    }
  }
  for (const auto& [name, schemas] : shown->properties) {
    how.shown.push_back(name);
  }
  return how;
}

std::string lasting_of(const Contract& contract, const Operation& operation,
                       const OperationRules& rules) {
  return may_write(operation, rules) && !rules.update ? restoration_of(contract, operation).why_not
                                                      : "";
}

}  // namespace contract_tests::plan
