#include "mock_server/control/request/error_response.hpp"

#include "mock_server/reply/error_response.hpp"
#include "spec/contract/checking/validate_message.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>

namespace mock_server::control::request {
namespace {

using fixtures::ErrorKind;
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
  static const fixtures::ErrorTable kTable;
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

}  // namespace mock_server::control::request
