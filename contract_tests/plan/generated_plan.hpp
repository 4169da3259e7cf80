#pragma once

// Generated requests (generated_request.hpp) as request plans, which subjects
// and credentials are filled into. Pure functions.

#include "contract_tests/plan/generated_request.hpp"
#include "contract_tests/plan/request_plan.hpp"
#include "contract_tests/plan/request_verdict.hpp"
#include "spec/contract/resources/resource.hpp"

#include <map>
#include <optional>
#include <string>

namespace contract_tests::plan {

// A request that satisfies the contract, of examples where there are any. Scalars in path and query
// that must be given are ${OPERATION.PARAMETER}, so that a subjects file can give better ones;
// `names` has the generated values. An identifier in path and body has one name in both.
// NOLINTNEXTLINE(bugprone-exception-escape): nlohmann's moves assert, they never throw.
struct GeneratedPlain {
  RequestPlan request;
  std::map<std::string, std::string> names;
};

// The failure when no valid request was found.
spec::Result<GeneratedPlain, spec::schema::generate::GenerateFailure> generated_plain(
    const spec::contract::Contract& contract, const spec::schema::generate::Generator& generator,
    const spec::contract::Operation& operation);

// Names the values in the body that refer to records of a resource "OPERATION.body.MEMBER".
void name_references(const spec::contract::Contract& contract,
                     const spec::contract::Resources& resources,
                     const spec::contract::Operation& operation, GeneratedPlain& plain);

// The name of a member of a body, and the member of a name that has the start of `operation`; "" if
// it has not.
std::string name_of_member(const std::string& operation, const std::string& member);
std::string member_of_name(const std::string& operation, const std::string& name);

// The verdict on the request with its generated values.
RequestVerdict validate_plain(const spec::contract::Contract& contract,
                              const spec::contract::Operation& operation,
                              const GeneratedPlain& plain);

// `plain` with what the boundary case changes. `keeps_body`: one member of its body changes, and
// the others stay as they are there.
RequestPlan with_boundary(const RequestPlan& plain, const BoundaryRequest& boundary,
                          bool keeps_body = false);

// `plain` with the query, headers and body of a request that was drawn.
RequestPlan with_drawn(const RequestPlan& plain, const spec::http::Request& drawn);

}  // namespace contract_tests::plan
