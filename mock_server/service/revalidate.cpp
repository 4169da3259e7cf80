#include "mock_server/service/revalidate.hpp"

#include "mock_server/api/loading/fixture_readers.hpp"
#include "mock_server/api/loading/validate_record.hpp"
#include "mock_server/state/cells.hpp"
#include "mock_server/state/scenario_state.hpp"
#include "spec/json/read.hpp"
#include "spec/load_error.hpp"
#include "spec/text/ascii.hpp"

#include <nlohmann/json.hpp>

#include <string_view>

namespace mock_server::service {
namespace {

// Why the record of a cell is not valid now; "" when it is. A removed record always is, and one of
// a collection that is not there now: it may be again.
std::string record_problem(const api::LoadedApi& api, std::string_view place,
                           const std::string& text) {
  const std::size_t slash = place.find('/');
  const auto collection = api.fixtures.collections().find(place.substr(0, slash));
  if (collection == api.fixtures.collections().end() || text.empty()) {
    return "";
  }
  const auto record = spec::json::read(text);
  const auto problems =
      record ? api::validate_record(api, collection->second, place.substr(slash + 1), *record)
             : std::vector<api::RecordProblem>{{"", "must be JSON"}};
  return problems.empty() ? "" : problems.front().pointer + ' ' + in_full(problems.front());
}

std::string scenario_problem(const api::LoadedApi& api, std::string_view name,
                             const std::string& text) {
  const auto read = api::read_own_scenario(api, std::string(name), text);
  return read->problems.empty() ? "" : to_line(read->problems.front());
}

std::string problem_of(const api::LoadedApi& api, std::string_view cell, const std::string& text) {
  const std::string records = state::record_cells();
  const std::string scenarios = state::own_scenario_cell("");
  if (cell.starts_with(records)) {
    return record_problem(api, cell.substr(records.size()), text);
  }
  const bool is_number = cell.starts_with(state::kNumberCells) ||
                         cell.starts_with(state::kOrderCells) || cell == state::kSeedCell;
  if (is_number && !spec::text::is_all_digits(text)) {
    return "must be a number";
  }
  return cell.starts_with(scenarios) ? scenario_problem(api, cell.substr(scenarios.size()), text)
                                     : "";
}

void revalidate(state::Session& session, const api::LoadedApi& api,
                std::vector<std::string>& dropped) {
  for (const auto& [name, cell] : session.cells()) {
    const std::string problem = problem_of(api, name, *cell.text);
    // A cell that was changed meanwhile was validated by the new loaded API, or will be by its
    // response.
    if (!problem.empty() &&
        session.compare_and_set(name, cell.version, std::nullopt) == state::Put::kDone) {
      dropped.push_back("session " + (session.name().empty() ? "(default)" : session.name()) +
                        ": " + name + ": " + problem);
    }
  }
}

}  // namespace

std::vector<std::string> revalidate_sessions(state::Store& store, const api::LoadedApi& api) {
  std::vector<std::string> dropped;
  if (store.is_shared()) {
    return dropped;
  }
  for (const auto& summary : store.list()) {
    if (const auto session = store.find(summary.name); session && !session->is_untouched()) {
      try {
        revalidate(*session, api, dropped);
      } catch (const state::Unavailable&) {  // its responses are validated
      }
    }
  }
  return dropped;
}

}  // namespace mock_server::service
