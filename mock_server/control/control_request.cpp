#include "mock_server/control/control_request.hpp"

#include "mock_server/reply/json_response.hpp"
#include "spec/contract/checking/validate_message.hpp"
#include "spec/contract/loading/load_contract.hpp"
#include "spec/text/names.hpp"
#include "spec/text/quote.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>

namespace mock_server::control {

const nlohmann::json* ControlRequest::query(std::string_view name) const {
  const auto found = reading.query.find(name);
  return found == reading.query.end() ? nullptr : &*found;
}

spec::http::Response reject_body(std::string_view problem) {
  return reject(api::ErrorKind::kInvalidBody, problem);
}

spec::http::Response unknown(std::string_view what, std::string_view name,
                             const std::vector<std::string>& there_are) {
  return reject(api::ErrorKind::kNotFound,
                "there is no " + std::string(what) + " " + spec::text::in_quotes(name, 80) +
                    spec::text::suggest_known(name, {there_are.begin(), there_are.end()}));
}

spec::http::Response unknown_session(const ControlRequest& request, std::string_view name) {
  std::vector<std::string> names;
  for (const auto& summary : request.context.store.list()) {
    if (!summary.name.empty()) {
      names.push_back(summary.name);
    }
  }
  return unknown("session", name, names);
}

spec::http::Response conflict(std::string_view problem) {
  return reply::error_response(409, "CONFLICT", problem);
}

spec::http::Response no_room() {
  return reply::error_response(507, "INSUFFICIENT_STORAGE", state::kSessionsAreFull);
}

state::Put set_cell(state::Session& session, std::string_view key,
                    const std::optional<std::string>& text) {
  return insist([&] { return session.compare_and_set(key, session.read(key).version, text); });
}

namespace {

using api::ErrorKind;
using spec::contract::Part;
using spec::contract::Violation;

bool is_body(const Violation& violation) {
  return violation.part == Part::kBody;
}

ErrorKind kind_of(const std::vector<Violation>& violations, bool has_others) {
  if (std::ranges::any_of(violations, [](const auto& v) { return v.part == Part::kMediaType; })) {
    return ErrorKind::kUnsupportedMediaType;
  }
  if (has_others || std::ranges::any_of(violations, [](const auto& v) {
        return !is_body(v) && spec::contract::cannot_be_decoded(v);
      })) {
    return ErrorKind::kUndecodableParameters;
  }
  return std::ranges::all_of(violations, is_body) ? ErrorKind::kInvalidBody
                                                  : ErrorKind::kInvalidParameters;
}

}  // namespace

spec::http::Response reject(ErrorKind kind, std::vector<std::string> problems) {
  static const api::ErrorTable kTable;
  const auto& entry = kTable[kind];
  if (problems.size() == 1) {
    return reply::error_response(entry.status, entry.code, problems.front());
  }
  const std::string message = std::to_string(problems.size()) + " problems: see \"problems\"";
  return reply::error_response(entry.status, entry.code, message,
                               {{"problems", std::move(problems)}});
}

spec::http::Response reject(ErrorKind kind, std::string_view problem) {
  return reject(kind, std::vector<std::string>{std::string(problem)});
}

spec::http::Response reject(const std::vector<Violation>& violations,
                            std::vector<std::string> others) {
  std::vector<std::string> problems;
  for (const Violation& violation : violations) {
    problems.push_back(std::string(to_text(violation.part)) + violation.instance + ": " +
                       violation.message.text());
  }
  const ErrorKind kind = kind_of(violations, !others.empty());
  std::ranges::move(others, std::back_inserter(problems));
  return reject(kind, std::move(problems));
}

const spec::contract::Contract& Api::contract() const {
  std::call_once(loaded_, [this] {
    contract_.emplace(spec::contract::load_contract_text(text(), "control.openapi.yaml"));
  });
  return *contract_;
}

}  // namespace mock_server::control
