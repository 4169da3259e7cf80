#include "mock_server/run/coverage.hpp"

#include "mock_server/run/schema_points.hpp"
#include "spec/contract/check.hpp"
#include "spec/json/read.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <numeric>
#include <string_view>
#include <unordered_set>
#include <utility>

namespace mock_server::run {
namespace {

using nlohmann::json;
using spec::contract::Answer;
using spec::contract::Content;
using spec::contract::Location;
using spec::contract::Operation;
using spec::contract::Parameter;

constexpr std::size_t kMostBreaches = 200;
constexpr std::size_t kLongestTarget = 200;

std::string_view to_text(Location location) {
  switch (location) {
    case Location::kPath: return "path";
    case Location::kQuery: return "query";
    case Location::kHeader: return "header";
    case Location::kCookie: break;
  }
  return "cookie";
}

std::string place_of(const Parameter& parameter) {
  return std::string(to_text(parameter.location)) + ' ' + parameter.name;
}

std::string status_of(const Answer& answer) {
  if (answer.status != 0) {
    return std::to_string(answer.status);
  }
  return answer.range != 0 ? std::to_string(answer.range) + "XX" : "default";
}

const Content* json_content(const std::vector<Content>& contents) {
  const auto found = std::ranges::find_if(
      contents, [](const Content& content) { return content.media_type.is_json(); });
  return found == contents.end() ? nullptr : &*found;
}

std::string request_line(const service::Seen& exchange) {
  return exchange.request.method.substr(0, 20) + ' ' +
         exchange.request.target.substr(0, kLongestTarget) + " -> " +
         std::to_string(exchange.response.status);
}

enum class Kind : std::uint8_t { kOperation, kStatus, kField, kValue };

using Points = std::vector<std::pair<Kind, std::string>>;

// Everything that the operation offers, each text once.
Points points_of(const Operation& operation) {
  Points points;
  std::unordered_set<std::string> texts;
  const auto declare = [&](Kind kind, const std::string& text) {
    if (texts.insert(text).second) {
      points.emplace_back(kind, text);
    }
  };
  const auto declare_all = [&](PointKind kind, const std::string& text) {
    declare(kind == PointKind::kField ? Kind::kField : Kind::kValue, text);
  };
  declare(Kind::kOperation, "");
  for (const Parameter& parameter : operation.parameters) {
    declare(Kind::kField, place_of(parameter));
    each_point(parameter.node.find("schema"), place_of(parameter), declare_all);
  }
  if (const Content* body = operation.body ? json_content(operation.body->contents) : nullptr) {
    each_point(body->node.find("schema"), "request ", declare_all);
  }
  for (const Answer& answer : operation.answers) {
    declare(Kind::kStatus, status_of(answer));
    if (const Content* content = json_content(answer.contents)) {
      each_point(content->node.find("schema"), status_of(answer) + ' ', declare_all);
    }
  }
  return points;
}

using Mark = std::function<void(const std::string& text)>;

void mark_request(const Operation& operation, const spec::contract::RequestReading& reading,
                  const Mark& mark) {
  const auto mark_all = [&](PointKind, const std::string& text) { mark(text); };
  for (const Parameter& parameter : operation.parameters) {
    const std::array<const json*, 4> parts{&reading.path, &reading.query, &reading.header,
                                           &reading.cookie};
    const json& part = *parts.at(static_cast<std::size_t>(parameter.location));
    if (const auto value = part.find(parameter.name); value != part.end()) {
      mark(place_of(parameter));
      each_point_of(parameter.node.find("schema"), *value, place_of(parameter), mark_all);
    }
  }
  const Content* const body = operation.body ? json_content(operation.body->contents) : nullptr;
  if (body != nullptr && reading.body) {
    each_point_of(body->node.find("schema"), *reading.body, "request ", mark_all);
  }
}

void mark_answer(const Operation& operation, const spec::http::Response& response,
                 const Mark& mark) {
  const Answer* const answer = operation.answer(response.status);
  if (answer == nullptr) {
    return;
  }
  mark(status_of(*answer));
  const Content* const content = json_content(answer->contents);
  if (content == nullptr) {
    return;
  }
  if (const auto body = spec::json::read(response.body)) {
    each_point_of(content->node.find("schema"), *body, status_of(*answer) + ' ',
                  [&](PointKind, const std::string& text) { mark(text); });
  }
}

}  // namespace

void Coverage::note_breach(Breach breach) {
  ++breach_count_;
  if (breaches_.size() < kMostBreaches) {
    breaches_.push_back(std::move(breach));
  }
}

void Coverage::see(const service::Seen& exchange) {
  const std::lock_guard lock(mutex_);
  const Operation* const operation = exchange.operation;
  if (operation == nullptr) {
    ++others_;
    if (exchange.request.method != "OPTIONS") {
      note_breach({"", request_line(exchange), {"the contract has no such path and method"}});
    }
    return;
  }
  const spec::contract::Contract& contract = exchange.world.contract;
  Page& page = pages_[operation->id];
  ++page.answers[exchange.response.status];
  const auto reading =
      spec::contract::check_request(contract, *operation, exchange.request, exchange.path_values);
  const auto mark = [&page](const std::string& text) { page.seen.insert(text); };
  mark("");
  mark_request(*operation, reading, mark);
  mark_answer(*operation, exchange.response, mark);
  Breach breach{operation->id, request_line(exchange), {}};
  const auto add = [&](std::string_view who, const spec::contract::Violation& violation) {
    if (!violation.undecided) {  // a limit of the judge is no breach
      breach.lines.push_back(std::string(who) + to_line(contract, violation));
    }
  };
  for (const auto& violation : reading.violations) {
    add("", violation);
  }
  for (const auto& violation : exchange.broken) {
    add("the answer: ", violation);
  }
  if (!breach.lines.empty()) {
    note_breach(std::move(breach));
  }
}

Summary Coverage::summary(const spec::contract::Contract& contract) const {
  static const Page kNothing;
  const std::lock_guard lock(mutex_);
  Summary summary;
  summary.others = others_;
  summary.breaches = breaches_;
  summary.breach_count = breach_count_;
  for (const Operation& operation : contract.operations()) {
    const auto found = pages_.find(operation.id);
    const Page& page = found == pages_.end() ? kNothing : found->second;
    OperationSummary one{operation.id, operation.name, page.answers, {}, {}, {}, 0, 0};
    for (const auto& [kind, text] : points_of(operation)) {
      ++one.points;
      if (page.seen.contains(text)) {
        ++one.seen;
      } else if (kind != Kind::kOperation) {
        (kind == Kind::kStatus  ? one.unseen_statuses
         : kind == Kind::kField ? one.unseen_fields
                                : one.unseen_values)
            .push_back(text);
      }
    }
    summary.operations.push_back(std::move(one));
  }
  // Calls of operations that went away with a reload.
  for (const auto& [id, page] : pages_) {
    if (contract.operation(id) == nullptr) {
      summary.others += OperationSummary{id, "", page.answers, {}, {}, {}, 0, 0}.requests();
    }
  }
  return summary;
}

std::uint64_t OperationSummary::requests() const {
  return std::accumulate(answers.begin(), answers.end(), std::uint64_t{0},
                         [](std::uint64_t sum, const auto& entry) { return sum + entry.second; });
}

std::uint64_t Summary::requests() const {
  return std::accumulate(
      operations.begin(), operations.end(), others,
      [](std::uint64_t sum, const auto& operation) { return sum + operation.requests(); });
}

std::size_t Summary::points() const {
  return std::accumulate(
      operations.begin(), operations.end(), std::size_t{0},
      [](std::size_t sum, const auto& operation) { return sum + operation.points; });
}

std::size_t Summary::seen() const {
  return std::accumulate(
      operations.begin(), operations.end(), std::size_t{0},
      [](std::size_t sum, const auto& operation) { return sum + operation.seen; });
}

double Summary::coverage() const {
  constexpr double kWhole = 100.0;
  return points() == 0 ? kWhole
                       : kWhole * static_cast<double>(seen()) / static_cast<double>(points());
}

}  // namespace mock_server::run
