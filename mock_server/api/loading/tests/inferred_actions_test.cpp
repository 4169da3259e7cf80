// What paths of actions do to records: from words to states, booleans and dates.

#include "spec/contract/loading/load_contract.hpp"
#include "spec/contract/resources/infer.hpp"
#include "spec/contract/resources/states.hpp"
#include "spec/tests/rows.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

namespace mock_server::api::loading {
namespace {

using nlohmann::ordered_json;
using spec::contract::load_contract_text;
using spec::contract::resources::infer;
using spec::contract::resources::Inference;
using spec::contract::resources::InferredBinding;

// The entry for one operation on the path, beside POST and GET of "/orders".
InferredBinding binding_of(const std::string& members, const std::string& method,
                           const std::string& tail) {
  const std::string order = "{type: object, properties: {id: {type: string}, " + members + "}}";
  const std::string shown =
      "{content: {application/json: {schema: " + order + "}}, description: d}";
  const std::string parameters =
      "parameters: [{name: id, in: path, required: true, schema: {type: string}}]";
  const auto contract = load_contract_text(
      "openapi: 3.1.0\ninfo: {title: t, version: '1'}\npaths:\n  /orders:\n    post: {operationId: "
      "create, requestBody: {content: {application/json: {schema: {type: object, properties: "
      "{note: {type: string}}}}}}, responses: {'201': " +
          shown + "}}\n  /orders/{id}:\n    get: {operationId: read, " + parameters +
          ", responses: {'200': " + shown + "}}\n  /orders/{id}" + tail + ":\n    " + method +
          ": {operationId: act, " + parameters +
          ", requestBody: {content: {application/json: {schema: {type: object, properties: "
          "{note: {type: string}, reason: {type: string}}}}}}, responses: {'204': {description: "
          "d}}}\n",
      "contract.yaml");
  const Inference found = infer(contract, {}, {});
  const auto one = std::ranges::find(
      found.bindings, "act", [](const InferredBinding& binding) { return binding.operation->id; });
  return one == found.bindings.end() ? InferredBinding{.entry = ordered_json::object()} : *one;
}

struct ActionRow {
  std::string name;
  std::string members;
  std::string tail;
  std::string set;
  std::string method = "post";
};

using EffectsOfActions = spec::tests::RowTest;

TEST_P(EffectsOfActions, are_those_that_words_name) {
  const ActionRow& row = GetParam();

  const InferredBinding binding = binding_of(row.members, row.method, row.tail);

  EXPECT_EQ(binding.entry.value("set", ordered_json::object()), ordered_json::parse(row.set))
      << binding.why;
}

const std::string kDate = "{type: [string, 'null'], format: date-time}";

const std::vector<ActionRow> kActions = {
    {"british", "status: {enum: [open, cancelled]}", "/cancel", R"({"/status": "cancelled"})"},
    {"american_capitals", "status: {enum: [OPEN, CANCELED]}", "/cancel",
     R"({"/status": "CANCELED"})"},
    {"done_before_being_done", "status: {enum: [canceling, canceled]}", "/cancel",
     R"({"/status": "canceled"})"},
    {"another_word_for_it", "status: {enum: [pending, voided]}", "/cancel",
     R"({"/status": "voided"})"},
    {"the_beginning", "stage: {enum: [open, closed_won, closed_lost]}", "/close",
     R"({"/stage": "closed_won"})"},
    {"irregular", "status: {enum: [unpaid, paid]}", "/pay", R"({"/status": "paid"})"},
    {"several_words", "status: {enum: [unpaid, paid]}", "/mark-as-paid", R"({"/status": "paid"})"},
    {"words_with_the_record", "status: {enum: [new, shipped]}", "/shipOrder",
     R"({"/status": "shipped"})"},
    {"after_a_colon", "status: {enum: [new, approved]}", ":approve", R"({"/status": "approved"})"},
    {"below_actions", "status: {enum: [new, DENIED]}", "/actions/deny", R"({"/status": "DENIED"})"},
    {"adjective", "status: {enum: [inactive, active]}", "/activate", R"({"/status": "active"})"},
    {"adjective_negated", "status: {enum: [active, inactive]}", "/deactivate",
     R"({"/status": "inactive"})"},
    {"resumed", "status: {enum: [paused, in_progress]}", "/resume",
     R"({"/status": "in_progress"})"},
    {"boolean_and_date", "done: {type: boolean}, completed_at: " + kDate, "/complete",
     R"({"/completed_at": {"now": true}, "/done": true})"},
    {"boolean", "is_archived: {type: boolean}", "/archive", R"({"/is_archived": true})"},
    {"boolean_taken_back", "is_archived: {type: boolean}", "/unarchive",
     R"({"/is_archived": false})"},
    {"put_and_delete", "starred: {type: boolean}", "/star", R"({"/starred": false})", "delete"},
    {"date", "cancel_at: " + kDate + ", cancelled_at: " + kDate, "/cancel",
     R"({"/cancelled_at": {"now": true}})"},
    {"state_and_date", "status: {enum: [draft, published]}, publishedAt: " + kDate, "/publish",
     R"({"/status": "published", "/publishedAt": {"now": true}})"},
    {"with_a_particle", "status: {enum: [new, checked_in]}", "/check-in",
     R"({"/status": "checked_in"})"},
    {"again", "status: {enum: [ACTIVE, INACTIVE]}", "/reactivate", R"({"/status": "ACTIVE"})"},
    {"put_into_a_state", "status: {enum: [OPEN, ON_HOLD]}", "/putOnHold",
     R"({"/status": "ON_HOLD"})"},
    {"start_of_a_state", "status: {enum: [OPEN, IN_REVIEW]}", "/startReview",
     R"({"/status": "IN_REVIEW"})"},
    {"moved", "status: {enum: [live, trashed]}", "/moveToTrash", R"({"/status": "trashed"})"},
    {"date_taken_back_alone", "published_at: " + kDate + ", archived_at: " + kDate, "/unarchive",
     R"({"/archived_at": null})"},
    {"no_state_but_a_mode", "mode: {enum: [live, test]}", "/test", "{}"},
    {"a_noun", "status: {enum: [new, done]}", "/comments", "{}"},
};

INSTANTIATE_TEST_SUITE_P(Table, EffectsOfActions, testing::ValuesIn(spec::tests::rows(kActions)),
                         spec::tests::kRowNames);

TEST(Actions, say_what_else_would_fit) {
  const auto binding =
      binding_of("stage: {enum: [open, closed_won, closed_lost]}", "post", "/close");

  EXPECT_NE(binding.why.find("close sets stage to closed_won (its enum has also closed_lost)"),
            std::string::npos)
      << binding.why;
}

TEST(Actions, take_members_of_the_record_alone_from_the_request) {
  const auto binding =
      binding_of("note: {type: string}, status: {enum: [new, cancelled]}", "post", "/cancel");

  EXPECT_EQ(binding.entry.at("fields"), ordered_json::parse(R"({"note": {}})"));
}

TEST(Actions, take_what_the_record_calls_otherwise) {
  const auto binding = binding_of(
      "cancellation_reason: {type: string}, status: {enum: [new, cancelled]}", "post", "/cancel");

  EXPECT_EQ(binding.entry.value("derive", ordered_json()),
            ordered_json::parse(
                R"({"cancellation_reason": {"from": "/body/reason", "template": "{value}"}})"));
}

struct JobRow {
  std::string name;
  std::string states;
  std::string first;
  std::vector<std::string> next;
};

using StatesOfJobs = spec::tests::RowTest;

TEST_P(StatesOfJobs, follow_the_enum) {
  const JobRow& row = GetParam();
  const auto contract = load_contract_text(
      "openapi: 3.1.0\ninfo: {title: t, version: '1'}\npaths:\n  /a:\n    get: {operationId: a, "
      "responses: {'200': {description: d, content: {application/json: {schema: {type: object, "
      "properties: {status: {enum: " +
          row.states + "}}}}}}}}\n",
      "contract.yaml");
  const spec::schema::Schemas record{
      *contract.operation("a")->response(200)->contents.front().schema};

  const auto state = spec::contract::resources::state_member(contract, record);
  std::vector<std::string> next;
  for (const auto& step : spec::contract::resources::progress_of(contract, record, state->first)) {
    next.push_back(step.at("set").at("/status"));
  }

  EXPECT_EQ(state->first, row.first);
  EXPECT_EQ(next, row.next);
}

const std::vector<JobRow> kJobs = {
    {"not_done_while_being_done",
     "[received, validating, importing, imported]",
     "received",
     {"importing", "imported"}},
    {"two_kinds_of_work", "[uploading, transcoding, ready]", "uploading", {"transcoding", "ready"}},
    {"an_end_first", "[settled, awaiting_approval, processing]", "awaiting_approval", {}},
    {"only_an_end", "[settled]", "settled", {}},
};

INSTANTIATE_TEST_SUITE_P(Table, StatesOfJobs, testing::ValuesIn(spec::tests::rows(kJobs)),
                         spec::tests::kRowNames);

}  // namespace
}  // namespace mock_server::api::loading
