#include "contract_tests/plan/oracle.hpp"

namespace contract_tests::plan {

using spec::contract::Part;

namespace {

Names stand_ins(const RequestPlan& request) {
  Names names;
  for (const auto& name : names_in(request)) {
    names.set(name, "x");
    names.set("unknown." + name, "x");
  }
  names.set("token", "x");
  return names;
}

}  // namespace

Deserts judge_request(const spec::contract::Contract& contract,
                      const spec::contract::Operation& operation, const RequestPlan& request) {
  auto plain = request;
  std::vector<std::pair<std::string, std::string>> path_values;
  for (auto& [name, value] : plain.path) {
    value = "x";
    path_values.emplace_back(name, value);
  }
  const auto built = build_request(operation, plain, stand_ins(plain), "");
  Deserts deserts;
  if (!built) {
    deserts.decided = false;
    return deserts;
  }
  const auto reading =
      spec::contract::check_request(contract, operation, built.value(), path_values);
  for (const auto& violation : reading.violations) {
    if (violation.part == Part::kPath) {
      continue;
    }
    deserts.decided = deserts.decided && !violation.undecided && !deserts.breach;
    deserts.breach =
        Breach{violation.statement, violation.rule, violation.part, violation.instance};
  }
  return deserts;
}

}  // namespace contract_tests::plan
