#include "mock_server/control/journal/describe.hpp"

#include "mock_server/fixtures/instant.hpp"
#include "mock_server/reply/fault.hpp"
#include "spec/contract/contract.hpp"
#include "spec/json/read.hpp"
#include "spec/text/utf8.hpp"

#include <nlohmann/json.hpp>

#include <string>

namespace mock_server::control::journal {
namespace {

using nlohmann::json;
using spec::text::as_utf8;

json place_of(const spec::contract::Statement& statement) {
  json place{{"pointer", statement.pointer}, {"file", statement.file},
             {"line", statement.line},       {"column", statement.column},
             {"clause", statement.clause},   {"class", to_text(statement.statement_class)}};
  if (!statement.reason.empty()) {
    place["reason"] = statement.reason;
  }
  return place;
}

json responses_of(const spec::contract::Operation& operation) {
  json answers = json::array();
  for (const auto& answer : operation.responses) {
    json types = json::array();
    json examples = json::array();
    for (const auto& content : answer.contents) {
      types.push_back(content.media_type.essence());
      for (const auto& example : content.examples) {
        examples.push_back(example.name);
      }
    }
    answers.push_back({{"status", spec::contract::response_key(answer)},
                       {"media_types", types},
                       {"examples", examples}});
  }
  return answers;
}

json played_from(const fixtures::FixtureStore& fixtures, const fixtures::Binding& binding) {
  if (const auto* const inferred = fixtures.inferred(*binding.operation)) {
    return {{"by", "inference"},
            {"behaviour", fixtures::row_of(binding.behaviour).name},
            {"certainty", inferred->is_certain ? "certain" : "likely"},
            {"why", inferred->why},
            {"binding", inferred->entry}};
  }
  const auto place = binding.node.place();
  return {{"by", "fixtures"},
          {"behaviour", fixtures::row_of(binding.behaviour).name},
          {"file", place.file},
          {"line", place.line}};
}

json played_by(const fixtures::FixtureStore& fixtures, const spec::contract::Operation& operation) {
  const auto* const binding = fixtures.binding(operation);
  if (binding == nullptr) {
    json played{{"by", "the contract's examples"}};
    if (const auto why = fixtures.why_not_inferred(operation); !why.empty()) {
      played["not_inferred"] = why;
    }
    return played;
  }
  json played = played_from(fixtures, *binding);
  if (binding->collection != nullptr) {
    played["collection"] = binding->collection->name();
    json keys = json::array();
    constexpr std::size_t kMaxKeys = 20;
    if (binding->collection->is_seeded()) {
      const auto& records = binding->collection->records();
      for (std::size_t i = 0; i < std::min(records.size(), kMaxKeys); ++i) {
        keys.push_back(records[i].key);
      }
    }
    played["keys"] = keys;
    played["records"] = binding->collection->size();
  }
  return played;
}

}  // namespace

json describe(const spec::contract::Contract& contract,
              const std::vector<spec::contract::Violation>& violations) {
  json list = json::array();
  for (const auto& violation : violations) {
    list.push_back({{"operation", violation.operation},
                    {"part", to_text(violation.part)},
                    {"instance", violation.instance},
                    {"rule", violation.rule},
                    {"message", violation.message},
                    {"line", to_line(contract, violation)},
                    {"statement", place_of(contract.statement(violation.statement))}});
  }
  return list;
}

json describe_rejection(std::string_view reason) {
  const auto part = to_text(spec::contract::Part::kFraming);
  return json::array({{{"operation", ""},
                       {"part", part},
                       {"instance", ""},
                       {"rule", ""},
                       {"message", reason},
                       {"line", std::string(part) + ": " + std::string(reason)},
                       {"statement", nullptr}}});
}

json headers_of(const spec::http::Headers& headers) {
  json lines = json::array();
  for (const auto& [name, value] : headers.lines()) {
    lines.push_back({as_utf8(name), as_utf8(value)});
  }
  return lines;
}

json violations_of(const std::string& text) {
  if (text.empty()) {
    return json::array();
  }
  auto value = spec::json::read(text);
  return value ? std::move(*value) : json::array();
}

int delivered_status(const state::Entry& entry) {
  const auto fault = reply::fault_of(entry.fault);
  return fault && !reply::delivers_head(*fault) ? 0 : entry.response.status;
}

json summarise(const state::Entry& entry) {
  json summary{{"id", entry.id},
               {"time", fixtures::to_text(entry.time)},
               {"method", entry.request.method},
               {"target", as_utf8(entry.request.target)},
               {"operation", entry.operation.empty() ? json(nullptr) : json(entry.operation)},
               {"status", delivered_status(entry)},
               {"chosen_by", entry.chosen_by},
               {"violations", violations_of(entry.violations).size()},
               {"broken", violations_of(entry.broken).size()}};
  if (!entry.fault.empty()) {
    summary["fault"] = entry.fault;
  }
  return summary;
}

json list_operations(const fixtures::LoadedApi& api) {
  fixtures::seed_some(api.fixtures.collections());
  json list = json::array();
  for (const auto& operation : api.contract.operations()) {
    const auto place = operation.node.place();
    list.push_back({{"id", operation.id},
                    {"method", operation.method},
                    {"path", operation.path},
                    {"summary", operation.summary},
                    {"file", place.file},
                    {"line", place.line},
                    {"needs_credentials", !operation.security.empty()},
                    {"answers", responses_of(operation)},
                    {"played", played_by(api.fixtures, operation)}});
  }
  return list;
}

json list_assumptions(const spec::contract::Contract& contract) {
  json list = json::array();
  for (const auto& statement : contract.assumptions()) {
    list.push_back(place_of(statement));
  }
  return list;
}

}  // namespace mock_server::control::journal
