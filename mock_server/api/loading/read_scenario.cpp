#include "mock_server/api/loading/fixture_members.hpp"
#include "mock_server/api/loading/fixture_readers.hpp"
#include "mock_server/api/loading/node_reader.hpp"
#include "mock_server/api/loading/validate_fixtures.hpp"
#include "mock_server/api/loading/validate_record.hpp"
#include "mock_server/api/record_view.hpp"
#include "mock_server/reply/fault.hpp"
#include "mock_server/state/scenario_state.hpp"
#include "spec/load_error.hpp"
#include "spec/schema/spelling.hpp"

#include <algorithm>
#include <cmath>
#include <set>
#include <string_view>
#include <utility>

namespace mock_server::api::loading {

namespace {

using spec::contract::Operation;
using spec::document::Node;

// `record` with `patch` merged in. What the patch replaces is not copied first: lists are long.
nlohmann::json changed_record(const nlohmann::json& record, const nlohmann::json& patch) {
  nlohmann::json changed = nlohmann::json::object();
  for (const auto& [name, value] : record.items()) {
    const auto other = patch.find(name);
    if (other == patch.end() || other->is_object()) {
      changed[name] = value;
    }
  }
  changed.merge_patch(patch);
  return changed;
}

// Reads one rule of a scenario; steps and effects by functions of their own.
class RuleReader {
 public:
  RuleReader(const Node& node, const std::vector<Binding>& bindings, LoadContext& context)
      : node_(node), bindings_(bindings), context_(context) {
    rule_.node = node;
  }

  ScenarioRule read() {
    rule_.name = text_at(node_, "name").value_or("");
    for (const Node& id : node_.find("operations").elements()) {
      read_operation(id);
    }
    read_when();
    rule_.every = integer_at(node_, "every").value_or(1);
    rule_.probability = number_of(node_.find("probability"), 1);
    rule_.again = boolean_at(node_, "again").value_or(false);
    if (const Node steps = node_.find("steps")) {
      for (const Node& step : steps.elements()) {
        rule_.steps.push_back(read_step(step));
      }
    } else {
      rule_.steps.push_back(read_step(node_));
    }
    check_end();
    return std::move(rule_);
  }

 private:
  void read_operation(const Node& id) {
    const std::string_view text = id.is_string() ? id.string() : std::string_view();
    if (const Operation* const found = context_.contract.operation(text)) {
      rule_.operations.push_back(found);
    } else if (id.is_string()) {
      context_.report(id, unknown_operation(context_.contract, text));
    }
  }

  // Every operation of the rule must declare the places of its conditions.
  void read_when() {
    const Node list = node_.find("when");
    if (rule_.operations.empty()) {
      rule_.when = read_conditions(list, nullptr, context_);
    }
    for (const Operation* const operation : rule_.operations) {
      rule_.when = read_conditions(list, operation, context_);
    }
  }

  Step read_step(const Node& node) {
    Step step;
    step.node = node;
    step.times = integer_at(node, "times").value_or(0);
    step.lasts = std::chrono::microseconds(std::llround(number_of(node.find("for")) * 1'000'000));
    step.effect.response = read_response(node);
    if (const Node forced = node.find("force")) {
      step.effect.forced = std::make_shared<const ForcedStatus>(read_forced(forced, context_));
    }
    if (const Node record = node.find("record"); record.is_object()) {
      step.effect.record = record.value();
      validate_change(record);
    }
    step.effect.delay = read_delay(node.find("delay"));
    step.effect.fault =
        reply::fault_of(text_at(node, "fault").value_or("")).value_or(reply::Fault::kNone);
    step.effect.stream = read_stream(node, first_operation(), context_);
    return step;
  }

  // Null for a rule of every operation.
  const Operation* first_operation() const {
    return rule_.operations.empty() ? nullptr : rule_.operations.front();
  }

  std::shared_ptr<const PreparedResponse> read_response(const Node& node) {
    Rule said;
    said.node = node;
    if (!read_said(node, first_operation(), said, context_)) {
      return nullptr;
    }
    if (said.body && rule_.operations.empty()) {
      context_.report(
          node,
          "must name its \"operations\": the body of a response is different for each operation");
    }
    said.response.chosen_by = node.file_and_line();
    for (const Operation* const operation : concerned()) {
      const std::size_t before = context_.problems.size();
      validation_result(*operation, said, context_);
      const bool is_declared = operation->response(said.response.response.status) != nullptr;
      if (!is_declared && context_.problems.size() > before) {
        context_.problems.back().message += "; \"force\" sends it all the same";
      }
    }
    return std::make_shared<const PreparedResponse>(std::move(said.response));
  }

  std::vector<const Operation*> concerned() const {
    if (!rule_.operations.empty()) {
      return rule_.operations;
    }
    std::vector<const Operation*> all;
    for (const Operation& operation : context_.contract.operations()) {
      all.push_back(&operation);
    }
    return all;
  }

  // Reports what was not `said` before.
  void validate_changed(const Node& change, const nlohmann::json& patch, const Binding& binding,
                        const Record& record, std::set<std::string>& said) {
    nlohmann::json changed = changed_record(record.value, patch);
    for (const auto& problem : validate_as_response(context_.contract, binding, changed)) {
      if (said.insert(problem.pointer + in_full(problem)).second) {
        context_.report(change, problem.pointer + " of " + binding.collection->name() + '/' +
                                    record.key + ": " + in_full(problem));
      }
    }
  }

  // The change on every record that the rule's operations show, each violation once.
  void validate_change(const Node& change) {
    const nlohmann::json patch = change.value();
    std::set<std::string> said;
    bool shown = false;
    for (const Operation* const operation : concerned()) {
      const auto binding = std::ranges::find(bindings_, operation, &Binding::operation);
      if (binding == bindings_.end() || binding->collection == nullptr) {
        continue;
      }
      shown = true;
      for (const Record& record : binding->collection->records()) {
        validate_changed(change, patch, *binding, record, said);
      }
    }
    warn_of_misspelt(change, patch);
    if (!shown && !context_.document_only) {
      context_.report(change, "must name an operation that is bound to a collection");
    }
  }

  // Probably misspelt members that no response names.
  void warn_of_misspelt(const Node& change, const nlohmann::json& patch) {
    std::vector<spec::schema::AppliedSchema> applied;
    for (const Operation* const operation : concerned()) {
      const auto binding = std::ranges::find(bindings_, operation, &Binding::operation);
      const auto schema =
          binding != bindings_.end() && binding->shows() == Shows::kRecord
              ? response_schema(context_.contract, *operation, operation->success_status())
              : std::nullopt;
      if (schema) {
        applied.push_back(*schema);
      }
    }
    for (const auto& one : spec::schema::misspelt_members(applied, patch)) {
      add_warning(context_, change.problem(one.instance.substr(1) + ": " + one.message()));
    }
  }

  Delay read_delay(const Node& node) {
    if (const Node fixed = node.find("fixed_ms")) {
      return {Delay::Kind::kFixed, number_of(fixed), 0};
    }
    if (const Node uniform = node.find("uniform_ms")) {
      const Delay delay{Delay::Kind::kUniform, number_of(uniform.at(0)), number_of(uniform.at(1))};
      if (delay.first > delay.second) {
        context_.report(uniform, "min must not be above max");
      }
      return delay;
    }
    const Node spread = node.find("log_normal_ms");
    return spread ? Delay{Delay::Kind::kLogNormal, number_of(spread.find("median")),
                          number_of(spread.find("sigma"))}
                  : Delay{};
  }

  // Steps after one that never ends would never be taken; repeated steps must end.
  void check_end() {
    for (std::size_t index = 0; index < rule_.steps.size(); ++index) {
      const Step& step = rule_.steps[index];
      const bool endless = step.times == 0 && step.lasts.count() == 0;
      if (endless && (index + 1 < rule_.steps.size() || rule_.again)) {
        context_.report(step.node, "must have \"times\" or \"for\": other steps follow");
      }
    }
  }

  Node node_;
  const std::vector<Binding>& bindings_;
  LoadContext& context_;
  ScenarioRule rule_;
};

}  // namespace

Scenario read_scenario(std::string name, const Node& node, const std::vector<Binding>& bindings,
                       LoadContext& context) {
  const auto before = static_cast<std::ptrdiff_t>(context.problems.size());
  check_form(FileKind::kScenario, node, context.problems);
  Scenario scenario;
  scenario.name = std::move(name);
  scenario.node = node;
  scenario.description = text_at(node, "description").value_or("");
  for (const Node& rule : node.find("rules").elements()) {
    scenario.rules.push_back(RuleReader(rule, bindings, context).read());
  }
  // In the order of the text, those of the form among the others.
  std::stable_sort(context.problems.begin() + before, context.problems.end(),
                   [](const spec::Problem& one, const spec::Problem& other) {
                     return std::pair(one.line, one.column) < std::pair(other.line, other.column);
                   });
  return scenario;
}

}  // namespace mock_server::api::loading

namespace mock_server::api {

namespace {

std::shared_ptr<const ScenarioCache::ParsedScenario> read_text(const LoadedApi& api,
                                                               const std::string& name,
                                                               const std::string& text) {
  auto read = std::make_shared<ScenarioCache::ParsedScenario>();
  loading::LoadContext context{api.contract, api.fixtures.errors(), api.options.document_only,
                               read->problems, read->warnings};
  try {
    const auto root =
        read->library.add("scenario:" + name, "body", text, spec::document::Format::kJson);
    read->scenario = loading::read_scenario(name, root, api.fixtures.bindings(), context);
  } catch (const spec::LoadError& failure) {
    read->problems = failure.problems();
  }
  return read;
}

}  // namespace

std::shared_ptr<const ScenarioCache::ParsedScenario> read_own_scenario(const LoadedApi& api,
                                                                       const std::string& name,
                                                                       const std::string& text) {
  if (auto kept = api.own_scenarios->find(name, text)) {
    return kept;
  }
  auto read = read_text(api, name, text);
  if (read->problems.empty()) {
    api.own_scenarios->keep(name, text, read);
  }
  return read;
}

std::shared_ptr<const Scenario> find_scenario(const LoadedApi& api, const state::Session& session,
                                              std::string_view name) {
  if (const state::Cell cell = session.read(state::own_scenario_cell(name))) {
    auto read = read_own_scenario(api, std::string(name), *cell.text);
    if (!read->problems.empty()) {
      return nullptr;
    }
    const Scenario* const scenario = &read->scenario;
    return {std::move(read), scenario};
  }
  const auto found = api.fixtures.scenarios().find(name);
  // The fixtures' own live as long as the loaded API: nothing is to be kept alive.
  return found == api.fixtures.scenarios().end()
             ? nullptr
             : std::shared_ptr<const Scenario>(std::shared_ptr<const Scenario>{}, &found->second);
}

std::vector<std::string> scenario_names(const LoadedApi& api, const state::Session& session) {
  std::set<std::string> names;
  for (const auto& entry : api.fixtures.scenarios()) {
    names.insert(entry.first);
  }
  const std::string start = state::own_scenario_cell("");
  if (!session.is_untouched()) {
    for (const auto& entry : session.cells()) {
      if (entry.first.starts_with(start)) {
        names.insert(entry.first.substr(start.size()));
      }
    }
  }
  return {names.begin(), names.end()};
}

}  // namespace mock_server::api
