#include "mock_server/service/responses/session_records.hpp"

#include "mock_server/api/record_access.hpp"
#include "mock_server/api/record_view.hpp"
#include "mock_server/examples/response_example.hpp"
#include "mock_server/service/checks/authentication.hpp"
#include "mock_server/service/checks/service_error.hpp"
#include "mock_server/service/request/generation_options.hpp"
#include "mock_server/service/responses/later_steps.hpp"
#include "mock_server/state/cells.hpp"
#include "spec/contract/contract.hpp"
#include "spec/json/number.hpp"
#include "spec/json/read.hpp"
#include "spec/json/value.hpp"
#include "spec/text/random.hpp"

#include <algorithm>
#include <utility>

namespace mock_server::service::responses {

namespace {

using checks::may_see;
using checks::reject;

std::string cell_name(const RequestContext& context, std::string_view key) {
  return state::record_cell(context.binding->collection->name(), key);
}

// True if the record is one of the parents that the request names.
bool is_within(const RequestContext& context, const nlohmann::json& record) {
  return context.binding->collection->is_scoped() ||
         std::ranges::all_of(context.binding->within, [&](const api::Within& within) {
           const auto* const given = api::find(within.given, {context.reading});
           const auto* const own = api::walk(&record, within.at);
           return given != nullptr && own != nullptr &&
                  api::key_text(*given) == api::key_text(*own);
         });
}

// The session's own version of the record: an empty text says that it was removed.
void apply_session(const RequestContext& context, FoundRecord& found) {
  if (context.session->is_untouched()) {
    return;
  }
  const state::Cell cell = context.session->read(cell_name(context, found.key));
  if (!cell) {
    return;
  }
  found.version = cell.version;
  found.value = nullptr;
  if (!cell.text->empty()) {
    if (auto value = spec::json::read(*cell.text)) {
      found.changed = std::make_shared<const nlohmann::json>(api::advanced(
          *context.session, *context.binding->collection, found.key, std::move(*value)));
      found.value = found.changed.get();
    }
  }
}

}  // namespace

std::vector<ListedRecord> numbered_records(const RequestContext& context,
                                           const api::Collection& collection) {
  std::vector<ListedRecord> records;
  api::each_record(*context.session, collection,
                   [&](const std::string& key, api::SharedValue value, bool is_changed) {
                     const bool is_own = is_changed && !collection.find(key);
                     const auto number = is_own ? state::number_in(context.session->read(
                                                      state::order_cell(collection.name(), key)))
                                                : 0;
                     records.push_back({key, std::move(value), number});
                   });
  const auto created =
      std::ranges::find_if(records, [](const ListedRecord& one) { return one.number != 0; });
  std::ranges::stable_sort(created, records.end(), {}, &ListedRecord::number);
  return records;
}

std::string record_key(const RequestContext& context, std::string own) {
  return std::move(own.insert(0, key_prefix(context)));
}

std::string key_prefix(const RequestContext& context) {
  std::string key;
  if (context.binding->collection->is_scoped()) {
    for (const api::Within& within : context.binding->within) {
      const auto* const given = api::find(within.given, {context.reading});
      key += api::parent_part(given != nullptr ? api::key_text(*given) : std::string{});
    }
  }
  return key;
}

bool is_in_use(const RequestContext& context, const api::Collection& collection) {
  if (!collection.shows_examples_first() || !collection.records().empty() ||
      context.session->read(state::number_cell(collection.name()))) {
    return true;
  }
  const auto own = context.session->cells(state::record_cell(collection.name(), ""));
  return std::ranges::any_of(own, [](const auto& entry) { return !entry.second.text->empty(); });
}

bool is_known_absent(const RequestContext& context, const FoundRecord& found) {
  const api::Collection& collection = *context.binding->collection;
  const bool shows_example = collection.is_single() && collection.shows_examples_first();
  return found.version != 0 || (!shows_example && is_in_use(context, collection));
}

const api::Within* missing_parent(const RequestContext& context) {
  std::string above;  // where the parent's own key starts, if it has parents
  for (const api::Within& within : context.binding->within) {
    const auto* const given = api::find(within.given, {context.reading});
    const std::string own = given != nullptr ? api::key_text(*given) : std::string{};
    const std::string start = std::exchange(above, above + api::parent_part(own));
    if (within.in == nullptr || given == nullptr || within.in->is_listed_below() ||
        !is_in_use(context, *within.in)) {
      continue;
    }
    const std::string key = within.in->is_scoped() ? start + own : own;
    const state::Cell cell = context.session->read(state::record_cell(within.in->name(), key));
    if (cell ? cell.text->empty() : !within.in->find(key)) {
      return &within;
    }
  }
  return nullptr;
}

FoundRecord find_record(const RequestContext& context) {
  auto key = context.binding->collection != nullptr
                 ? api::key_given(*context.binding, {context.reading})
                 : std::nullopt;
  return key ? find_record(context, record_key(context, std::move(*key))) : FoundRecord{};
}

FoundRecord find_record(const RequestContext& context, std::string key) {
  FoundRecord found;
  found.key = std::move(key);
  if (const auto index = context.binding->collection->find(found.key)) {
    found.index = *index;
    found.fixture = &context.binding->collection->records()[*index];
    found.value = &found.fixture->value;
  }
  apply_session(context, found);
  found.exists = found.value != nullptr;
  if (found.exists && !(may_see(context, *found.value) && is_within(context, *found.value))) {
    found.value = nullptr;
  }
  found.stored = found.value;
  if (found.value != nullptr && !context.scenario_changes.empty()) {
    found.scenario_changes =
        std::make_shared<const nlohmann::json>(with_scenario_changes(context, *found.value));
    found.value = found.scenario_changes.get();
  }
  return found;
}

std::vector<std::string> visible_keys(const RequestContext& context) {
  std::vector<std::string> keys;
  std::vector<std::string> changed;
  api::each_record(*context.session, *context.binding->collection,
                   [&](const std::string& key, const auto& value, bool is_changed) {
                     if (may_see(context, *value)) {
                       (is_changed ? changed : keys).push_back(key);
                     }
                   });
  std::ranges::sort(changed);
  keys.insert(keys.end(), changed.begin(), changed.end());
  return keys;
}

std::vector<ListedRecord> visible_records(const RequestContext& context) {
  const api::Collection& collection = *context.binding->collection;
  const std::string prefix = key_prefix(context);
  auto records = numbered_records(context, collection);
  std::erase_if(records, [&](const ListedRecord& one) {
    return !one.key.starts_with(prefix) || !may_see(context, *one.value) ||
           !is_within(context, *one.value);
  });
  return records;
}

nlohmann::json with_scenario_changes(const RequestContext& context, nlohmann::json record) {
  for (const nlohmann::json* const change : context.scenario_changes) {
    record.merge_patch(*change);
  }
  return record;
}

state::Put keep_record(const RequestContext& context, const FoundRecord& found,
                       const nlohmann::json& value) {
  const state::Put put = context.session->compare_and_set(cell_name(context, found.key),
                                                          found.version, spec::json::write(value));
  if (put == state::Put::kDone) {
    note_steps(context, found, value);
  }
  return put;
}

std::optional<ChosenResponse> reject_too_deep(RequestContext& context,
                                              const nlohmann::json& value) {
  const auto most = spec::json::ReadOptions{}.max_depth;
  if (spec::json::depth_of(value) <= most) {
    return std::nullopt;
  }
  return reject(context, api::ErrorKind::kInvalidBody,
                "body: must nest no deeper than " + std::to_string(most) +
                    " levels as the record that is kept");
}

ChosenResponse changed_too_often(RequestContext& context) {
  return reject(context, api::ErrorKind::kInternal, state::kChangedTooOften);
}

ChosenResponse sessions_are_full(RequestContext& context) {
  return reject(context, api::ErrorKind::kInternal, state::kSessionsAreFull);
}

std::string describe(const RequestContext& context, const FoundRecord& found) {
  return found.fixture == nullptr || found.version != 0
             ? "session's record " + context.binding->collection->name() + '/' + found.key
             : api::describe(*context.binding->collection, *found.fixture);
}

namespace {

using nlohmann::json;
using request::GenerationOptions;

// "" if the request says none.
std::string sent_currency(const RequestContext& context) {
  const json* const body = context.reading.body ? &*context.reading.body : nullptr;
  const json* const sent = api::walk(body, {"currency"});
  return sent != nullptr && sent->is_string() ? sent->get<std::string>() : std::string{};
}

const spec::contract::Example* json_example(const spec::contract::Operation& operation, int status,
                                            const spec::contract::MediaTypeObject*& of) {
  const auto* const response = operation.response(status);
  if (response == nullptr) {
    return nullptr;
  }
  of = spec::contract::json_content(response->contents);
  return of == nullptr || of->examples.empty() ? nullptr : &of->examples.front();
}

}  // namespace

RecordSource record_source(const RequestContext& context) {
  return api::record_source(context.api.contract, context.api.fixtures.bindings(),
                            *context.binding->collection);
}

api::RecordMaker record_maker(const RequestContext& context) {
  return {context.api.contract, context.lazy_generator.generator(), dates_moved_by(context),
          std::nullopt, sent_currency(context)};
}

json some_record(const RequestContext& context, const RecordSource& source, std::uint64_t seed) {
  json record = api::generated_record(record_maker(context), source, seed);
  return record.is_object() ? record : example_record(context, source);
}

json example_record(const RequestContext& context, const RecordSource& source) {
  if (source.operation == nullptr) {
    return nullptr;
  }
  const spec::contract::MediaTypeObject* content = nullptr;
  const auto* const example = json_example(*source.operation, source.status, content);
  const GenerationOptions generation(context);
  json body;
  if (example != nullptr &&
      examples::is_valid_example(context.api.contract, {*content}, *example->value)) {
    body = *example->value;
  } else if (content != nullptr && content->schema) {
    auto made = context.lazy_generator.generator().generate(*content->schema, generation.options());
    body = made ? std::move(*made) : json(nullptr);
  }
  const json* const record = api::walk(&body, source.at);
  if (record == nullptr || !record->is_object()) {
    return nullptr;
  }
  json shown = *record;
  generation.echo(shown);
  return shown;
}

void add_required(const spec::contract::Contract& contract, const spec::schema::Schemas& schemas,
                  const json& example, json& value, int depth) {
  constexpr int kMaxDepth = 6;
  if (depth > kMaxDepth || schemas.empty()) {
    return;
  }
  const auto& summary = contract.summaries().summary_of(schemas);
  if (value.is_array() && example.is_array() && !example.empty()) {
    for (json& element : value) {
      add_required(contract, summary.elements, example.front(), element, depth + 1);
    }
  }
  if (!value.is_object() || !example.is_object()) {
    return;
  }
  for (const std::string& name : summary.required) {
    if (const auto given = example.find(name); given != example.end() && !value.contains(name)) {
      value[name] = *given;
    }
  }
  for (const auto& [name, inner] : summary.properties) {
    const auto own = value.find(name);
    const auto given = example.find(name);
    if (own != value.end() && given != example.end()) {
      add_required(contract, inner, *given, *own, depth + 1);
    }
  }
}

bool add_documented(const spec::contract::Contract& contract, const spec::schema::Schemas& schemas,
                    const json* example, json& value, int depth) {
  constexpr int kMaxDepth = 8;
  if (schemas.empty() || !value.is_structured() || depth > kMaxDepth) {
    return false;
  }
  const auto& summary = contract.summaries().summary_of(schemas);
  bool is_missed = false;
  for (std::size_t i = 0; value.is_array() && i < value.size(); ++i) {
    const bool has_one = example != nullptr && example->is_array() && !example->empty();
    is_missed |= add_documented(contract, summary.elements, has_one ? &example->front() : nullptr,
                                value[i], depth + 1);
  }
  bool has_any = value.is_array() || (value.empty() && summary.required.empty());
  for (const auto& [name, inner] : summary.properties) {
    if (const auto own = value.find(name); value.is_object() && own != value.end()) {
      has_any = true;
      is_missed |= add_documented(contract, inner, api::walk(example, {name}), *own, depth + 1);
    }
  }
  for (const auto& [name, inner] : summary.properties) {
    const json* const given = has_any ? nullptr : api::walk(example, {name});
    is_missed |= !has_any;
    if (given != nullptr) {
      value[name] = *given;
    }
  }
  return is_missed;
}

std::uint64_t seed_for(const RequestContext& context, std::string_view text) {
  return spec::text::text_hash(text, seed_of(context));
}

}  // namespace mock_server::service::responses
