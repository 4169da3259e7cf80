#include "contract_tests/parity/side.hpp"

#include "contract_tests/checks/response_validation.hpp"
#include "contract_tests/client/exchange_text.hpp"
#include "contract_tests/run/curl_line.hpp"
#include "spec/http/media_type.hpp"
#include "spec/json/pointer.hpp"
#include "spec/json/read.hpp"
#include "spec/schema/applicable.hpp"
#include "spec/schema/schema_summary.hpp"

#include <algorithm>
#include <array>
#include <cstddef>

namespace contract_tests::parity {

using nlohmann::json;
using spec::contract::Contract;
using spec::contract::Operation;
using spec::contract::Statement;
using spec::schema::SchemaId;
using spec::schema::Schemas;

namespace {

constexpr std::size_t kMaxWalkDepth = 32;

// Ends the place of a schema for which null was seen.
constexpr std::string_view kNullSeen = "/null";

// Keywords that describe and do not restrict: no message shows whether they are true.
constexpr std::array<std::string_view, 8> kAnnotations{
    "name", "allowEmptyValue", "description", "summary", "title", "default", "example", "examples"};

std::string place_of_node(const spec::document::Node& node) {
  return node ? std::string(node.place().file) + '#' + node.pointer() : std::string();
}

std::string place_of(const Statement& statement) {
  return statement.file + '#' + statement.pointer;
}

// "/a/anyOf/1" -> "/a"; "" for what is no alternative.
std::string schema_of_alternative(std::string_view place) {
  const auto number = place.rfind('/');
  const auto keyword = number == std::string_view::npos ? number : place.rfind('/', number - 1);
  if (keyword == std::string_view::npos) {
    return "";
  }
  const auto name = place.substr(keyword + 1, number - keyword - 1);
  return name == "anyOf" || name == "oneOf" ? std::string(place.substr(0, keyword)) : "";
}

}  // namespace

std::string shown_at(const Statement& assumption) {
  const auto place = place_of(assumption);
  if (auto schema = schema_of_alternative(place); !schema.empty()) {
    return schema.append(kNullSeen);
  }
  const auto last = place.rfind('/');
  const auto token = std::string_view(place).substr(last + 1);
  const bool annotates = std::ranges::find(kAnnotations, token) != kAnnotations.end();
  return annotates || place.find("/examples/") != std::string::npos ? "" : place;
}

void SeenStatements::add(const std::string& place) {
  if (!place.empty() && known_.insert(place).second) {
    (*found_)(place);
  }
}

void SeenStatements::add_applied(SchemaId id) {
  for (const SchemaId applied : spec::schema::applicable(contract_.schemas().program(), id,
                                                         spec::schema::Reach::kUnlessNull)) {
    const auto node = contract_.schemas().source(applied);
    add(place_of_node(node));
    for (const auto& member : node.members()) {
      add(place_of_node(member.value));
    }
  }
}

// `schemas` are all that are written for `value`.
void SeenStatements::walk(const Schemas& schemas, const json& value, std::size_t depth) {
  if (depth == kMaxWalkDepth) {
    return;
  }
  if (value.is_null()) {
    for (const SchemaId id : schemas) {
      add(place_of_node(contract_.schemas().source(id)).append(kNullSeen));
    }
    return;
  }
  if (!nulls_alone_ && walked_.insert(schemas).second) {
    for (const SchemaId id : schemas) {
      add_applied(id);
    }
  }
  const auto& summary = contract_.summaries().summary_of(schemas);
  if (value.is_object()) {
    for (const auto& [name, inner] : value.items()) {
      const auto* property = summary.property(name);
      walk(property == nullptr ? summary.others : *property, inner, depth + 1);
    }
  } else if (value.is_array() && !summary.elements.empty()) {
    for (const auto& element : value) {
      walk(summary.elements, element, depth + 1);
    }
  }
}

void SeenStatements::note(const Operation& operation, const spec::http::Response& response,
                          const json* body, const Visitor& found) {
  const auto* declared = operation.response(response.status);
  if (declared == nullptr) {
    return;
  }
  found_ = &found;
  nulls_alone_ = false;
  const auto place = place_of_node(declared->node);
  add(place_of(contract_.statement(declared->statement)));
  add(place);
  if (!declared->contents.empty() && !response.body.empty()) {
    add(place + "/content");
  }
  for (const auto& header : declared->headers) {
    if (response.headers.has(header.name)) {
      add(place + "/headers");
      add(place_of(contract_.statement(header.statement)));
      add(place_of_node(header.node));
    }
  }
  const auto schema = spec::contract::json_schema(declared->contents);
  if (schema && body != nullptr) {
    walk({*schema}, *body, 0);
  }
}

void SeenStatements::note_accepted(const Operation& operation, const json& body,
                                   const Visitor& found) {
  const auto schema =
      operation.body ? spec::contract::json_schema(operation.body->contents) : std::nullopt;
  if (schema) {
    found_ = &found;
    nulls_alone_ = true;
    walk({*schema}, body, 0);
  }
}

bool is_required(const Contract& contract, const std::string& operation_name, int status,
                 const std::string& place) {
  const auto operations = contract.operations();
  const auto operation = std::ranges::find(operations, operation_name, &Operation::name);
  const auto* response = operation == operations.end() ? nullptr : operation->response(status);
  const auto tokens = spec::json::split_pointer(place);
  if (response == nullptr || response->contents.empty() || !response->contents.front().schema ||
      !tokens) {
    return false;
  }
  Schemas schemas{*response->contents.front().schema};
  bool required = false;
  for (const auto& token : *tokens) {
    const auto& summary = contract.summaries().summary_of(schemas);
    required = std::ranges::find(summary.required, token) != summary.required.end();
    schemas = summary.part(token);
  }
  return required;
}

namespace {

constexpr std::size_t kMaxKeptBody = 256U * 1024;  // bytes
constexpr std::size_t kMaxMemberDepth = 32;

bool was_sent(const run::CaseResponse& sent) {
  return !sent.exchange.url.empty();
}

// The exchange that the case is about: of its own request, else the first.
const run::CaseResponse* main_of(const run::CaseRun& case_run) {
  const auto& all = case_run.sent();
  auto found = std::ranges::find_if(all, [&case_run](const run::CaseResponse& sent) {
    return was_sent(sent) && sent.request == case_run.item().request;
  });
  found = found == all.end() ? std::ranges::find_if(all, &was_sent) : found;
  return found == all.end() ? nullptr : &*found;
}

std::string media_type_of(const spec::http::Response& response) {
  const auto field = response.headers.find("Content-Type");
  const auto type = field ? spec::http::parse_media_type(*field) : std::nullopt;
  return type ? type->essence() : "";
}

// The code of an error; "" for none.
std::string code_of(const spec::http::Response& response) {
  const auto body = spec::json::read(response.status >= 400 ? std::string_view(response.body) : "");
  return body ? std::string(spec::json::text_at(body.value(), "/code")) : "";
}

// Members of `whole` that `known` lacks, "*" for any element.
void add_unknown(const json& whole, const json& known, const std::string& at, std::size_t depth,
                 std::set<std::string>& places) {
  if (depth == kMaxMemberDepth) {
    return;
  }
  if (whole.is_object() && known.is_object()) {
    for (const auto& [name, value] : whole.items()) {
      const auto place = at + spec::json::pointer_of({name});
      const auto found = known.find(name);
      if (found == known.end()) {
        places.insert(place);
      } else {
        add_unknown(value, *found, place, depth + 1, places);
      }
    }
  } else if (whole.is_array() && known.is_array() && whole.size() == known.size()) {
    for (std::size_t index = 0; index < whole.size(); ++index) {
      add_unknown(whole[index], known[index], at + "/*", depth + 1, places);
    }
  }
}

Witness witness_of(const run::CaseRun& case_run, const run::CaseResponse& sent) {
  const auto& settings = case_run.settings();
  return {.operation = case_run.operation().name,
          .case_id = case_run.item().id,
          .curl = run::curl_line(settings.secrets, sent.exchange),
          .response = settings.secrets.redacted(client::response_line(sent.exchange)),
          .status = sent.exchange.status()};
}

}  // namespace

void Side::note(const run::CaseRun& case_run) {
  const std::lock_guard lock(mutex_);
  for (const auto& sent : case_run.sent()) {
    if (was_sent(sent) && sent.conclusive) {
      note_response(case_run, sent);
    }
  }
  const auto* sent = main_of(case_run);
  if (sent == nullptr || !sent->exchange.has_response()) {
    return;
  }
  std::string_view target = sent->exchange.sent.target;
  if (const auto& prefix = settings_.url.prefix; target.starts_with(prefix)) {
    target.remove_prefix(prefix.size());
  }
  ObservedResponse seen{.request = sent->exchange.sent.method + ' ' + std::string(target),
                        .request_body = sent->exchange.sent.body,
                        .status = sent->exchange.status(),
                        .media_type = media_type_of(sent->exchange.response),
                        .code = code_of(sent->exchange.response)};
  if (sent->accepted && sent->body && sent->normal && sent->exchange.sent.method == "GET" &&
      target.find('?') == std::string_view::npos &&
      sent->exchange.response.body.size() <= kMaxKeptBody) {
    seen.body = sent->body;
    seen.normal = sent->normal;
  }
  seen_.insert_or_assign(case_run.item().id, std::move(seen));
}

void Side::note_response(const run::CaseRun& case_run, const run::CaseResponse& sent) {
  std::optional<Witness> witness;
  const auto found = [&](const std::string& place) {
    if (!witness) {
      witness = witness_of(case_run, sent);
    }
    places_.emplace(place, *witness);
  };
  const auto& operation = case_run.operation();
  touched_.note(operation, sent.exchange.response, sent.body ? &*sent.body : nullptr, found);
  if (sent.accepted) {
    const auto body = spec::json::read(sent.exchange.sent.body);
    if (operation.body && body) {
      touched_.note_accepted(operation, body.value(), found);
    }
    note_members(case_run, sent);
  }
}

void Side::note_members(const run::CaseRun& case_run, const run::CaseResponse& sent) {
  if (!sent.body) {
    return;
  }
  const auto& operation = case_run.operation();
  bodies_.emplace(operation.name, sent.exchange.status());
  const auto add = [&](Places& places, const std::set<std::string>& shown) {
    for (const auto& place : shown) {
      if (const std::pair key(operation.name, place); !places.contains(key)) {
        places.emplace(key, witness_of(case_run, sent));
      }
    }
  };
  add(documented_,
      checks::documented_places(settings_.contract, operation, sent.exchange, *sent.body));
  std::set<std::string> unknown;
  if (const auto whole = spec::json::read(sent.exchange.response.body)) {
    add_unknown(whole.value(), *sent.body, "", 0, unknown);
  }
  add(undocumented_, unknown);
}

const ObservedResponse* Side::seen(const std::string& case_id) const {
  const auto found = seen_.find(case_id);
  return found == seen_.end() ? nullptr : &found->second;
}

const Witness* Side::witness(const spec::contract::Statement& assumption) const {
  const auto found = places_.find(shown_at(assumption));
  return found == places_.end() ? nullptr : &found->second;
}

}  // namespace contract_tests::parity
