#include "mock_server/service/responses/later_steps.hpp"

#include "mock_server/api/record_source.hpp"
#include "mock_server/state/cells.hpp"
#include "spec/json/pointer.hpp"
#include "spec/json/read.hpp"
#include "spec/json/value.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>

namespace mock_server::service::responses {
namespace {

using nlohmann::json;
using spec::schema::Schemas;

Schemas schemas_of(const RequestContext& context, const RecordSource& source,
                   const std::vector<std::string>& at) {
  return source.schemas.empty() ? Schemas{}
                                : api::schemas_at(context.api.contract, source.schemas, at);
}

// A time as the member shows times: seconds since 1970, a date, or both.
json time_value(const RequestContext& context, const Schemas& schemas, state::TimePoint now) {
  constexpr std::size_t kDateSize = 10;
  const std::string text = state::to_text(now);
  if (schemas.empty()) {
    return text;
  }
  const auto& summary = context.api.contract.summaries().summary_of(schemas);
  if (summary.is_number()) {
    return std::chrono::duration_cast<std::chrono::seconds>(now.time_since_epoch()).count();
  }
  return summary.format == "date" ? text.substr(0, kDateSize) : text;
}

// The members that are objects are not there yet in a patch.
json value_to_set(const RequestContext& context, const RecordSource& source,
                  const api::Setting& setting, state::TimePoint now) {
  return setting.is_now ? time_value(context, schemas_of(context, source, setting.at), now)
                        : setting.value;
}

std::int64_t microseconds(state::TimePoint time) {
  return time.time_since_epoch().count();
}

// The links that a job that is done shows where it had null before, as generated.
void add_results(const RequestContext& context, const RecordSource& source,
                 const FoundRecord& found, const json& value, json& patch) {
  if (source.schemas.empty() || !value.is_object()) {
    return;
  }
  const json example = some_record(context, source, seed_for(context, found.key));
  const auto& summaries = context.api.contract.summaries();
  for (const auto& [name, inner] : summaries.summary_of(source.schemas).properties) {
    const bool is_link = summaries.summary_of(inner).format.starts_with("ur");
    const bool is_open = !value.contains(name) || value[name].is_null();
    if (is_link && is_open && example.is_object() && example.contains(name)) {
      patch[name] = example[name];
    }
  }
}

std::string steps_text(const RequestContext& context, const FoundRecord& found, const json& value) {
  const RecordSource source = record_source(context);
  const auto now = context.session->now();
  json steps = json::array();
  for (const api::LaterStep& step : context.binding->after) {
    const auto due = now + std::chrono::seconds(step.seconds);
    json patch = json::object();
    for (const api::Setting& setting : step.set) {
      api::set_at(patch, setting.at, value_to_set(context, source, setting, due));
    }
    if (&step == &context.binding->after.back()) {
      add_results(context, source, found, value, patch);
    }
    steps.push_back({microseconds(due), std::move(patch)});
  }
  return spec::json::write(steps);
}

// True if the record was stored with another value of what a step would set.
bool is_overtaken(const json& steps, const json& before, const json& value) {
  return std::ranges::any_of(steps, [&](const json& step) {
    return std::ranges::any_of(step.at(1).items(), [&](const auto& member) {
      return before.value(member.key(), json()) != value.value(member.key(), json());
    });
  });
}

}  // namespace

void apply_settings(const RequestContext& context, const std::vector<api::Setting>& settings,
                    state::TimePoint now, json& record) {
  const RecordSource source = record_source(context);
  for (const api::Setting& setting : settings) {
    json value = value_to_set(context, source, setting, now);
    const Schemas schemas = schemas_of(context, source, setting.at);
    const bool is_shown = !value.is_null() || schemas.empty() ||
                          context.api.contract.summaries().summary_of(schemas).nullable;
    if (is_shown) {
      api::set_at(record, setting.at, std::move(value));
    } else {
      spec::json::erase_member(record, spec::json::pointer_of(setting.at));
    }
  }
}

void note_steps(const RequestContext& context, const FoundRecord& found, const json& value) {
  const api::Collection& collection = *context.binding->collection;
  if (!collection.advances()) {
    return;
  }
  const std::string name = state::step_cell(collection.name(), found.key);
  const state::Cell cell = context.session->read(name);
  const json steps = api::steps_in(cell);
  std::optional<std::string> text;
  if (!context.binding->after.empty()) {
    text = steps_text(context, found, value);
  } else if (!steps.empty() && found.stored != nullptr &&
             !is_overtaken(steps, *found.stored, value)) {
    return;
  }
  if (cell || text) {
    context.session->compare_and_set(name, cell.version, std::move(text));
  }
}

ChosenResponse with_retry_after(const RequestContext& context, const FoundRecord& found,
                                ChosenResponse chosen) {
  const auto* const collection = context.binding->collection;
  const auto* const response = context.operation->response(chosen.response.status);
  if (collection == nullptr || !collection->advances() || response == nullptr ||
      response->header("Retry-After") == nullptr || chosen.response.status >= 300) {
    return chosen;
  }
  if (!context.binding->after.empty()) {
    chosen.response.headers.set("Retry-After",
                                std::to_string(context.binding->after.front().seconds));
    return chosen;
  }
  const state::Cell cell = context.session->read(state::step_cell(collection->name(), found.key));
  const json steps = api::steps_in(cell);
  const std::int64_t now = microseconds(context.session->now());
  for (const json& step : steps) {
    constexpr std::int64_t kSecond = 1'000'000;
    const auto due = step.at(0).get<std::int64_t>();
    if (due > now) {
      chosen.response.headers.set("Retry-After",
                                  std::to_string((due - now + kSecond - 1) / kSecond));
      break;
    }
  }
  return chosen;
}

}  // namespace mock_server::service::responses
