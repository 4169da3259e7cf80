#pragma once

// What the expanders of a plan share: the operation at hand, its plain request, and the making of a
// case. One expander a kind of demand; each appends the cases that it can make of contract and
// rules, and knows no endpoint by name. Called by make_plan only.

#include "contract_tests/plan/case.hpp"
#include "contract_tests/plan/oracle.hpp"
#include "contract_tests/plan/rules.hpp"
#include "contract_tests/plan/texts.hpp"
#include "spec/contract/contract.hpp"
#include "spec/schema/generate/generator.hpp"
#include "spec/schema/summary.hpp"

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace contract_tests::plan {

// Why a case is not run whose request the judge cannot tell to be right or wrong.
inline constexpr const char* kOpen =
    "a limit was hit before it was known whether its request keeps the contract: give a simpler "
    "pattern, or an example, to the schema";

struct Drafting {
  const spec::contract::Contract& contract;
  const spec::contract::Operation& operation;
  const OperationRules& rules;
  std::span<const HostileText> hostile = {};
  RequestPlan plain;  // a valid request; of names where the run knows better
  bool writes = false;
  std::string lasting = {};  // why what it writes could not be put back; "" where it can
  bool secured = false;
  bool open = false;     // the judge cannot tell whether `plain` keeps the contract
  bool made_up = false;  // `plain` is of a body or path that nobody promised to exist
  const spec::schema::generate::Generator* generator = nullptr;  // for draft_generated alone
  std::uint64_t seed = 0;
  std::vector<Case>& cases;

  // A case around the plain request: what it rests on is `source`, else the operation itself.
  Case draft(std::string sentence, std::string rule, checks::Source source) const;
  Case draft(std::string sentence, std::string rule) const;
  // Gives the case its id, its needs and its lane, and appends it.
  void add(Case item) const;

  // What the judge says of a request: that it breaks the contract for sure, or keeps it.
  bool is_refused(const RequestPlan& request) const;
  // Makes a case of `item` whose request must be rejected; it then rests on no more than the
  // strongest statement that the request does not satisfy. False when the contract takes it.
  bool demand_rejection(Case& item) const;
  // For the data of a case of which a rejected request must change nothing: how the record is read,
  // and the other one that the rules name. Precondition: the operation has rules on updates.
  nlohmann::json kept_records() const;
  bool is_sound(const RequestPlan& request) const;

  // What the schemas of a parameter or member say.
  spec::schema::Summary summary(const spec::schema::Schemas& schemas) const {
    return spec::schema::summarize(contract.schemas().program(), schemas);
  }

  checks::Source source_of(spec::contract::StatementId statement) const;
  checks::Source source_of(const Breach& breach) const;
  // Of a keyword in a parameter's schema. Where nothing but the parameter's name is assumed, what
  // its values must be is not.
  checks::Source source_of(const spec::contract::Parameter& parameter,
                           spec::contract::StatementId statement) const;
  // The clause as rules state it, in a class.
  static checks::Source clause(const nlohmann::json& block, spec::contract::StatementClass kind);

 private:
  // Whether a request has in it what the judge cannot tell about.
  bool is_open(const RequestPlan& request) const;
  // By the rules of an update: a field whose value the record does not show cannot be put back by
  // what was read. Without rules: the record that the plain request names is read and put back.
  void need_what_is_put_back(Case& item) const;
  void need_a_record(Case& item) const;
};

// Success, repetition, equivalent requests, HEAD, methods, connections: what holds for any
// operation.
void draft_plain(const Drafting& drafting);
void draft_methods(const Drafting& drafting);
void draft_transport(const Drafting& drafting);
// Every declared error, asked for by name: on the double only.
void draft_preferences(const Drafting& drafting);
// What no server may stumble over, in paths and queries.
void draft_hostile(const Drafting& drafting);
// Both directions of authentication.
void draft_credentials(const Drafting& drafting);
// The part of it that knows of doors beside the lock; and a case that must end in 401.
void draft_doors(const Drafting& drafting);
Case refused_credentials(const Drafting& drafting, std::string_view sentence,
                         std::string_view rule);
// Each query parameter with values that its schema refuses, or takes.
void draft_parameters(const Drafting& drafting);
// The request body broken in one place at a time.
void draft_body(const Drafting& drafting);
// By rules: pages, filters, update, file, burst.
void draft_pages(const Drafting& drafting);
void draft_filters(const Drafting& drafting);
void draft_update(const Drafting& drafting);
void draft_file(const Drafting& drafting);
void draft_burst(const Drafting& drafting);
// Of the contract alone, by seed; after all others, for it leaves out what they try already.
void draft_generated(const Drafting& drafting);

}  // namespace contract_tests::plan
