#include "contract_tests/report/coverage_value.hpp"

#include <nlohmann/json.hpp>

#include <string>
#include <vector>

namespace contract_tests::report {

using nlohmann::json;
using spec::contract::OperationCoverage;
using spec::contract::PointKind;

namespace {

json operation_json(const OperationCoverage& operation, bool with_values) {
  json value = json::object();
  for (const auto kind : spec::contract::kPointKinds) {
    if (kind != PointKind::kOperation) {
      value[plural(kind)] = {{"seen", json::array()}, {"unseen", json::array()}};
    }
  }
  for (const auto& point : operation.points) {
    if (point.kind == PointKind::kOperation) {
      value["called"] = point.seen;
      continue;
    }
    value[plural(point.kind)][point.seen ? "seen" : "unseen"].push_back(point.text);
    if (point.values != 0) {
      auto& values = value[plural(point.kind)]["values"][point.text];
      values = {{"seen", point.values_seen.size()}, {"of", point.values}};
      if (with_values) {
        values["shown"] = point.values_seen;
      }
    }
  }
  return value;
}

void add_points(PointKind kind, const json& value, OperationCoverage& operation) {
  for (const bool seen : {true, false}) {
    for (const auto& text : value.at(seen ? "seen" : "unseen")) {
      auto& point = operation.points.emplace_back();
      point.kind = kind;
      point.text = text.get<std::string>();
      point.seen = seen;
      const auto values = value.value("values", json::object()).value(point.text, json());
      if (values.is_object()) {
        point.values = values.at("of").get<std::size_t>();
        point.values_seen =
            values.value("shown", std::vector<std::string>(values.at("seen").get<std::size_t>()));
      }
    }
  }
}

}  // namespace

json coverage_json(const spec::contract::CoverageReport& coverage, bool with_values) {
  json operations = json::object();
  for (const auto& operation : coverage.operations) {
    operations[operation.id] = operation_json(operation, with_values);
  }
  return {{"points", coverage.points()}, {"seen", coverage.seen()}, {"operations", operations}};
}

spec::contract::CoverageReport coverage_from(const json& value) {
  spec::contract::CoverageReport coverage;
  for (const auto& [id, operation] : value.at("operations").items()) {
    auto& added = coverage.operations.emplace_back();
    added.id = id;
    added.points.push_back({PointKind::kOperation, "", operation.at("called").get<bool>(), 0, {}});
    for (const auto kind : spec::contract::kPointKinds) {
      if (kind != PointKind::kOperation) {
        add_points(kind, operation.at(std::string(plural(kind))), added);
      }
    }
  }
  return coverage;
}

}  // namespace contract_tests::report
