#include "mock_server/service/responses/new_record.hpp"

#include "mock_server/api/nested_collection.hpp"
#include "mock_server/api/record_access.hpp"
#include "mock_server/api/record_view.hpp"
#include "mock_server/reply/json_response.hpp"
#include "mock_server/service/responses/first_members.hpp"
#include "mock_server/service/responses/referred_records.hpp"
#include "mock_server/service/responses/sent_lists.hpp"
#include "mock_server/service/responses/session_records.hpp"
#include "mock_server/state/cells.hpp"
#include "spec/contract/resources/states.hpp"
#include "spec/json/number.hpp"
#include "spec/json/pointer.hpp"
#include "spec/json/value.hpp"
#include "spec/schema/applicable.hpp"
#include "spec/schema/generate/first_values.hpp"
#include "spec/schema/validator/instance_schemas.hpp"
#include "spec/schema/validator/validate.hpp"
#include "spec/text/ascii.hpp"
#include "spec/text/quote.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

namespace mock_server::service::responses {

namespace {

using nlohmann::json;
using spec::schema::Verdict;
using spec::schema::Violation;

constexpr spec::schema::ValidateOptions kOptions{.direction = spec::schema::Direction::kResponse,
                                                 .max_steps = 100'000};

using Tokens = std::vector<std::string>;

// Extra members and nulls are for each response to leave out.
bool is_about_value(const Violation& violation, const json& record, const Tokens& tokens) {
  const json* const value = api::walk(&record, tokens);
  return !violation.undecided && !tokens.empty() && value != nullptr && !value->is_null() &&
         violation.keyword != "additionalProperties" &&
         violation.keyword != "unevaluatedProperties";
}

// Elements are not taken out of arrays: the array is what does not fit.
Tokens nearest_member(const json& record, Tokens tokens) {
  while (tokens.size() > 1) {
    const json* const outer = api::walk(&record, Tokens(tokens.begin(), tokens.end() - 1));
    if (outer != nullptr && outer->is_object()) {
      break;
    }
    tokens.pop_back();
  }
  return tokens;
}

// `shown` is null where the member cannot be replaced.
void fit_member(const RequestContext& context, const RecordSource& source, const json* shown,
                const Tokens& tokens, json& record) {
  json* const outer = api::walk(&record, Tokens(tokens.begin(), tokens.end() - 1));
  if (outer == nullptr || !outer->is_object() || !outer->contains(tokens.back())) {
    return;
  }
  const json* const value = shown != nullptr ? api::walk(shown, tokens) : nullptr;
  if (value == nullptr) {
    outer->erase(tokens.back());
  } else {
    json& own = (*outer)[tokens.back()];
    own = shown_for_key(context, api::schemas_at(context.api.contract, source.schemas, tokens),
                        *value, own);
  }
}

json shown_before(const RequestContext& context, const RecordSource& source, const json* before,
                  std::string_view seed_text) {
  json shown = some_record(context, source, seed_for(context, seed_text));
  if (before != nullptr && before->is_object() && shown.is_object()) {
    shown.update(*before);
  }
  return shown;
}

}  // namespace

bool is_fit(const RequestContext& context, const RecordSource& source, const json& record) {
  const auto& schemas = context.api.contract.schemas();
  return std::ranges::none_of(source.schemas, [&](spec::schema::SchemaId id) {
    return spec::schema::check(schemas, id, record, kOptions) == Verdict::kInvalid;
  });
}

namespace {

// The violations of a record by its schemas that are about values of it, each once for each schema.
std::vector<Violation> unfit_values(const RequestContext& context, const RecordSource& source,
                                    const json& record) {
  std::vector<Violation> found;
  for (const auto id : source.schemas) {
    for (Violation& violation :
         spec::schema::validate(context.api.contract.schemas(), id, record, kOptions)) {
      const auto tokens = spec::json::split_pointer(violation.instance);
      if (tokens && is_about_value(violation, record, *tokens)) {
        found.push_back(std::move(violation));
      }
    }
  }
  return found;
}

}  // namespace

std::vector<std::string> fit_record(const RequestContext& context, const RecordSource& source,
                                    const json* before, std::string_view seed_text, json& record) {
  constexpr int kMaxRounds = 4;
  std::vector<std::string> pointers;
  json shown;
  for (int round = 0; round < kMaxRounds && !is_fit(context, source, record); ++round) {
    if (round == 0) {
      shown = shown_before(context, source, before, seed_text);
    }
    for (const Violation& violation : unfit_values(context, source, record)) {
      const bool is_secret = violation.keyword == "writeOnly";
      fit_member(context, source, round == 0 && !is_secret ? &shown : nullptr,
                 nearest_member(record, *spec::json::split_pointer(violation.instance)), record);
      if (!is_secret && std::ranges::find(pointers, violation.instance) == pointers.end()) {
        pointers.push_back(violation.instance);
      }
    }
    if (shown.is_object()) {
      add_required(context.api.contract, source.schemas, shown, record);
    }
  }
  return pointers;
}

void warn_of_unfit(RequestContext& context, const std::vector<std::string>& pointers) {
  if (!pointers.empty()) {
    context.warnings.push_back(
        reply::header_text("not kept as sent, because the contract shows records otherwise: " +
                           spec::text::join(pointers)));
  }
}

namespace {

namespace resources = spec::contract::resources;
using spec::schema::Schemas;

const std::vector<std::string>* id_of(const RequestContext& context) {
  const auto& id = context.binding->collection->id();
  return id && !id->empty() ? &*id : nullptr;
}

// The schemas of the records in the request's bodies, one for each media type that has one.
std::vector<Schemas> sent_schemas(const RequestContext& context) {
  std::vector<Schemas> all;
  if (context.operation->body) {
    for (const auto& content : context.operation->body->contents) {
      if (content.schema) {
        all.push_back(
            api::schemas_at(context.api.contract, {*content.schema}, context.binding->from));
      }
    }
  }
  std::erase_if(all, &Schemas::empty);
  return all;
}

// True if a request's body with records of these schemas can have the member.
bool is_settable(const RequestContext& context, const std::vector<Schemas>& records,
                 const std::string& name) {
  const auto& contract = context.api.contract;
  return std::ranges::any_of(records, [&](const Schemas& sent) {
    const auto* const member = contract.possible_summaries().summary_of(sent).property(name);
    return member != nullptr && !contract.summaries().summary_of(*member).read_only;
  });
}

// The schemas that hold for the record that was sent: of alternatives those that it is valid
// against.
Schemas schemas_of_sent(const RequestContext& context, const std::vector<Schemas>& records) {
  Schemas applied;
  const auto keep = [&applied](spec::schema::SchemaId schema, const json&,
                               const spec::schema::Path* path) {
    if (path == nullptr) {
      applied.push_back(schema);
    }
    return path == nullptr;
  };
  const json none = json::object();
  const json* const sent = sent_object(context);
  for (const Schemas& schemas : records) {
    for (const spec::schema::SchemaId id : schemas) {
      spec::schema::visit_applied(context.api.contract.schemas(), id,
                                  sent != nullptr ? *sent : none,
                                  {.direction = spec::schema::Direction::kRequest}, keep);
    }
  }
  return applied;
}

// The default of a member in the first of the schemas that has one.
std::optional<json> default_in(const RequestContext& context, const Schemas& schemas,
                               const std::string& name) {
  for (const spec::schema::SchemaId id : schemas) {
    const auto* const member = context.api.contract.summaries().summary_of(id).property(name);
    auto value = member != nullptr ? default_of(context, *member) : std::nullopt;
    if (value) {
      return value;
    }
  }
  return std::nullopt;
}

void add_parents(const RequestContext& context, json& record) {
  for (const api::Within& within : context.binding->within) {
    if (const auto* const given = api::find(within.given, {context.reading})) {
      api::set_at(record, within.at, *given);
    }
  }
}

// Puts the key where the record has it; the example shows of which type it is.
void add_own_key(const RequestContext& context, const RecordSource& source, const json& example,
                 const std::string& own_key, json& record) {
  const auto* const id = id_of(context);
  if (id == nullptr) {
    return;
  }
  const json* const shown = api::walk(&example, *id);
  if (shown != nullptr && api::walk(&record, *id) == nullptr) {
    api::set_at(record, *id, *shown);
  }
  api::set_key(context.api.contract, *context.binding->collection, source, own_key, record);
}

// Keeps members that the request cannot set.
void keep_unsettable(const RequestContext& context, const json& before, json& record) {
  const auto settable = sent_schemas(context);
  for (const auto& [name, value] : before.items()) {
    if (!record.contains(name) && !is_settable(context, settable, name)) {
      record[name] = value;
    }
  }
}

void add_collection_defaults(const RequestContext& context, const std::string& own_key,
                             json& record) {
  const auto now = context.session->now();
  for (const auto& one : context.binding->collection->defaults()) {
    if (!record.contains(one.member) && one.kind != api::Default::Kind::kKey) {
      record[one.member] = api::value_of(one, own_key, now);
    }
  }
}

// The value of a member of a new record that no request can say; nothing: it is left out, unless
// it is required.
std::optional<json> first_value(const RequestContext& context, const Schemas& schemas,
                                const std::string& name, const json& example) {
  const auto& summary = context.api.contract.summaries().summary_of(schemas);
  if (auto value = default_of(context, schemas); value && summary.nullable) {
    return value;
  }
  if (auto state = resources::first_state(context.api.contract, schemas, name)) {
    return state;
  }
  const auto generated = example.find(name);
  const bool has_none = generated == example.end();
  const bool is_of_beginning = spec::schema::generate::is_time_of_beginning(name);
  if (summary.nullable && (has_none || !(is_blank(*generated) ||
                                         (is_of_beginning && !resources::is_word_for_end(name))))) {
    return nullptr;
  }
  return has_none || (!is_of_beginning && is_time_of_end(summary, name, *generated))
             ? std::nullopt
             : std::optional(*generated);
}

struct Unsent {
  const json& example;
  bool is_new = true;
};

bool is_choice_of_shapes(const RequestContext& context, const RecordSource& source) {
  const auto& contract = context.api.contract;
  return contract.summaries().summary_of(source.schemas).properties.empty() &&
         !contract.possible_summaries().summary_of(source.schemas).properties.empty();
}

// What a new record has in a member that requests can set and this one left out: a first state, a
// generated mark, or no elements.
std::optional<json> unset_value(const RequestContext& context, const Schemas& schemas,
                                const std::string& name, const json& example) {
  if (auto state = resources::first_state(context.api.contract, schemas, name)) {
    return state;
  }
  const auto generated = example.find(name);
  const bool is_start =
      generated != example.end() && (generated->is_boolean() || *generated == json::array());
  return is_start ? std::optional(*generated) : std::nullopt;
}

// The defaults of members that the request left out, and for a new record first values of those
// that it cannot say. Of a record of several shapes, defaults of the one that was sent alone.
void add_unsent(const RequestContext& context, const RecordSource& source, const Unsent& unsent,
                json& record) {
  const auto& contract = context.api.contract;
  const bool is_choice = is_choice_of_shapes(context, source);
  const auto& summaries = is_choice ? contract.possible_summaries() : contract.summaries();
  const auto settable = sent_schemas(context);
  const Schemas sent = schemas_of_sent(context, settable);
  const bool is_new = unsent.is_new && !is_choice;
  for (const auto& [name, inner] : summaries.summary_of(source.schemas).properties) {
    const bool can_be_sent = is_settable(context, settable, name);
    if (record.contains(name) || (!can_be_sent && !is_new)) {
      continue;
    }
    std::optional<json> value = can_be_sent ? default_in(context, sent, name)
                                            : first_value(context, inner, name, unsent.example);
    if (can_be_sent && !value && !is_choice) {
      value = default_of(context, inner);
    }
    if (can_be_sent && !value && is_new) {
      value = unset_value(context, inner, name, unsent.example);
    }
    if (value) {
      record[name] = std::move(*value);
    }
  }
}

// What the service says of a new record whose members are in an object of their own: "attributes"
// of JSON:API.
void add_unsent_inside(const json& example, json& record) {
  for (auto& [name, inner] : record.items()) {
    const auto shown = example.find(name);
    if (name != "attributes" || !inner.is_object() || shown == example.end()) {
      continue;
    }
    for (const auto& [member, value] : shown->items()) {
      if (!inner.contains(member) &&
          (is_blank(value) || spec::schema::generate::is_time_of_beginning(member))) {
        inner[member] = value;
      }
    }
  }
}

// A record that has one of several shapes: adds what the shape that the request chose demands, as a
// generated example of that shape has it. As it was where no example fits.
void add_required_of_shape(const RequestContext& context, const RecordSource& source,
                           const std::string& seed_text, json& record) {
  constexpr int kMaxExamples = 24;
  for (int i = 0; i < kMaxExamples && !is_fit(context, source, record); ++i) {
    const json example =
        some_record(context, source, seed_for(context, seed_text + '#' + std::to_string(i)));
    json whole = example.is_object() ? example : json::object();
    whole.update(record);
    if (!is_fit(context, source, whole)) {
      continue;
    }
    for (const auto& [name, value] : example.items()) {
      json without = whole;
      without.erase(name);
      if (!record.contains(name) && is_fit(context, source, without)) {
        whole = std::move(without);
      }
    }
    record = std::move(whole);
  }
}

}  // namespace

const json* sent_object(const RequestContext& context) {
  return context.reading.body && context.reading.body->is_object() ? &*context.reading.body
                                                                   : nullptr;
}

std::optional<std::string> key_in_body(const RequestContext& context) {
  const json* found = nullptr;
  if (context.binding->key) {
    found = api::find(*context.binding->key, {context.reading});
  } else if (const auto* const id = id_of(context); id != nullptr && sent_object(context)) {
    found = api::walk(sent_object(context), *id);
  }
  const bool is_key = found != nullptr && !found->is_null() && !found->is_structured();
  return is_key ? std::optional(api::key_text(*found)) : std::nullopt;
}

namespace {

// What was sent of the record: the request's object; where it has no body, the parameters of the
// query that are members.
json sent_members(const RequestContext& context, const RecordSource& source) {
  if (const json* const sent = sent_object(context)) {
    return *sent;
  }
  json record = json::object();
  if (!context.operation->body && !source.schemas.empty()) {
    const auto& summary = context.api.contract.summaries().summary_of(source.schemas);
    for (const auto& [name, value] : context.reading.query.items()) {
      if (summary.property(name) != nullptr) {
        record[name] = value;
      }
    }
  }
  return record;
}

}  // namespace

json make_record(RequestContext& context, const std::string& own_key, const json* before) {
  const RecordSource source = record_source(context);
  const std::string name = context.binding->collection->name() + '=' + record_key(context, own_key);
  json example = some_record(context, source, seed_for(context, name));
  start_members(context, source.schemas, example);
  refer_record(context, source, name, example);
  json record = sent_members(context, source);
  add_own_key(context, source, example, own_key, record);
  add_parents(context, record);
  shape_sent_lists(context, source, own_key, before, record);
  if (before != nullptr) {
    keep_unsettable(context, *before, record);
    renew_times(context, *before, record);
  } else {
    add_collection_defaults(context, own_key, record);
  }
  add_repeated(context, source, record);
  api::empty_nested_lists(context.api.contract, context.binding->collection->nested(),
                          source.schemas, false, record);
  if (!source.schemas.empty() && example.is_object()) {
    add_unsent(context, source, {example, before == nullptr}, record);
    if (before == nullptr) {
      add_unsent_inside(example, record);
    }
    add_required(context.api.contract, source.schemas, example, record);
    add_documented(context.api.contract, source.schemas, &example, record);
    if (is_choice_of_shapes(context, source)) {
      add_required_of_shape(context, source, name, record);
    }
    add_up_sent(context, source, sent_object(context), record);
    warn_of_unfit(context, fit_record(context, source, before, name, record));
  }
  return record;
}

void renew_times(const RequestContext& context, const json& before, json& record) {
  const auto settable = sent_schemas(context);
  for (const auto& one : context.binding->collection->defaults()) {
    const bool is_sent = record.contains(one.member) &&
                         is_settable(context, settable, one.member) &&
                         record[one.member] != before.value(one.member, json());
    if (one.on_change && !is_sent) {
      record[one.member] = api::value_of(one, "", context.session->now());
    }
  }
}

std::optional<std::uint64_t> take_number(const RequestContext& context) {
  const api::Collection& collection = *context.binding->collection;
  const std::uint64_t least = collection.shows_examples_first() ? collection.records().size() : 0;
  return context.session->count_up(state::number_cell(collection.name()), least);
}

}  // namespace mock_server::service::responses
