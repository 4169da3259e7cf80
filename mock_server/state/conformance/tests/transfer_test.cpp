// State taken out of one store and put into another, in each store.

#include "mock_server/state/conformance/tests/state_test.hpp"
#include "mock_server/state/transfer/state_content.hpp"
#include "spec/load_error.hpp"
#include "spec/tests/rows.hpp"

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

#include <optional>
#include <vector>

namespace mock_server::state::conformance {
namespace {

using nlohmann::json;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

const ContractMark kPets{"Pets", "1", "GET /pets\n"};

class StateTransfer : public StateTest {
 protected:
  std::string written(const std::optional<std::string>& name = std::nullopt) {
    return transfer::write_content(*transfer::take_out(store(), journal(), kPets, name));
  }

  // Into a store that is opened for it.
  std::string put_into_another(const std::string& text, StoreLimits limits = {}) {
    open(limits);
    session("stays");
    return transfer::put_in(store(), journal(), transfer::read_content("state.json", text));
  }

  void note(const Session& session, const std::string& token) {
    const spec::http::Request request{"GET",
                                      "/pets?key=[hidden]",
                                      {{"Authorization", "Bearer " + token}, {"X-Api-Key", token}},
                                      std::string("\xFF\0", 2)};
    const spec::http::Response response{200, "OK", {{"A", "b"}}, "{}"};
    const std::vector<std::string> hidden{"X-Api-Key"};
    Exchange exchange;
    exchange.id = journal().next_id();
    exchange.session = session.serial();
    exchange.time = now_;
    exchange.peer = "127.0.0.1";
    exchange.violations = R"([{"message":"must be there"}])";
    exchange.request = &request;
    exchange.response = &response;
    exchange.hidden_fields = hidden;
    exchange.response_body_bytes = 9'000;
    journal().add(exchange);
  }

  void fill() {
    set(*session("a"), "record/pets/1", R"({"id": 1})");
    session("a")->take_snapshot("before");
    set(*session("a"), "record/pets/2", "");
    set(*session("a"), "bytes", std::string("\xFF\0", 2));
    session("a")->compare_and_set("rate/x", 0, "3", now_ + std::chrono::seconds(9));
    set(*session(""), "seed", "7");
    note(*session("a"), "secret");
    store().arm_for_all("slow");
  }
};

TEST_P(StateTransfer, brings_back_everything_and_no_secret) {
  fill();
  const std::string text = written();

  EXPECT_EQ(put_into_another(text), "");

  store().remove("stays");
  EXPECT_EQ(written(), text);
  EXPECT_THAT(text, ::testing::Not(HasSubstr("secret")));
  EXPECT_THAT(store().armed_for_all(), ElementsAre("slow"));
  EXPECT_EQ(session("a")->read("rate/x").expires, now_ + std::chrono::seconds(9));
  session("a")->restore_snapshot("before");
  EXPECT_EQ(session("a")->cell_count(), 1U);
}

TEST_P(StateTransfer, of_one_session_leaves_the_others_and_replaces_its_own) {
  fill();
  const std::string text = written("a");
  open();
  set(*session("a"), "old", "x");
  session("a")->take_snapshot("old");
  set(*session("b"), "k", "b's");
  const std::uint64_t serial = session("a")->serial();

  EXPECT_EQ(transfer::put_in(store(), journal(), transfer::read_content("state.json", text)), "");

  EXPECT_FALSE(session("a")->read("old"));
  EXPECT_THAT(session("a")->snapshots(), ElementsAre("before"));
  EXPECT_EQ(text_at(*session("a"), "record/pets/1"), R"({"id": 1})");
  EXPECT_EQ(text_at(*session("b"), "k"), "b's");
  EXPECT_NE(session("a")->serial(), serial);
  EXPECT_THAT(store().armed_for_all(), ElementsAre());
  EXPECT_EQ(transfer::take_out(store(), journal(), kPets, "nowhere"), std::nullopt);
}

TEST_P(StateTransfer, of_a_journal_that_lost_entries_says_so) {
  open({}, 4'000);
  for (int at = 0; at < 100; ++at) {
    note(*session("a"), "x");
  }

  EXPECT_EQ(put_into_another(written("a")), "");

  EXPECT_TRUE(journal().window(session("a")->serial()).is_partial);
}

TEST_P(StateTransfer, without_room_says_so) {
  for (const char* const name : {"a", "b", "c"}) {
    set(*session(name), "k", name);
  }
  const std::string text = written();
  EXPECT_THAT(put_into_another(text, {.sessions = 2}), HasSubstr("--max-sessions"));
  open();
  set(*session("a"), "k", std::string(5'000, 'x'));
  EXPECT_THAT(put_into_another(written(), {.bytes = 2'000}), HasSubstr("--session-bytes"));
}

INSTANTIATE_TEST_SUITE_P(Each, StateTransfer, ::testing::ValuesIn(state_kinds()),
                         spec::tests::kRowNames);

struct WrongFile {
  const char* name = "";
  std::string text;
  const char* problem = "";
};

using StateFileOfTransfer = spec::tests::RowTest;

TEST_P(StateFileOfTransfer, is_rejected_in_one_line) {
  const WrongFile& row = GetParam();

  try {
    transfer::read_content("state.json", row.text);
    FAIL() << "it was read";
  } catch (const spec::LoadError& error) {
    EXPECT_EQ(std::string(error.what()), row.problem);
  }
}

std::string file_with(const std::string& pointer, const json& value) {
  json file = json::parse(R"({"format": "counterpart-state", "version": 1,
    "contract": {"title": "Pets", "fingerprint": "", "operations": []},
    "sessions": [{"name": "a", "cells": {}, "snapshots": {},
                  "journal": {"is_partial": false, "entries": []}}]})");
  file[json::json_pointer(pointer)] = value;
  return file.dump();
}

const std::vector<WrongFile> kRowsStateFileOfTransfer = {
    {"cut", file_with("/armed_for_all", json::array()).substr(0, 60),
     "state.json: is no JSON, or was cut, at byte 60: the text ends inside a string; "
     "export it again"},
    {"another_file", R"({"openapi": "3.1.0"})",
     "state.json: is no file of \"mock_server state export\""},
    {"a_newer_version", file_with("/version", 2),
     "state.json: is of version 2, but this mock_server reads up to 1; use a newer "
     "one"},
    {"a_wrong_name", file_with("/sessions/0/name", "a b"),
     "state.json: must be a session's name: 1 to 64 letters, digits, \".\", \"_\", "
     "\"-\" [/sessions/0/name]"},
    {"a_wrong_cell", file_with("/sessions/0/cells", {{"record/a/b", 3}}),
     "state.json: must be a text [/sessions/0/cells/record~1a~1b]"},
    {"a_wrong_clock", file_with("/sessions/0/cells", {{"clock", "noon"}}),
     "state.json: must be microseconds from the machine's clock and, if it is frozen, "
     "since 1970; export it again, or remove this cell [/sessions/0/cells/clock]"},
    {"a_clock_beyond_all_time", file_with("/sessions/0/cells", {{"clock", "9000000000000000000"}}),
     "state.json: must be microseconds from the machine's clock and, if it is frozen, "
     "since 1970; export it again, or remove this cell [/sessions/0/cells/clock]"},
    {"wrong_armed_scenarios_in_a_snapshot",
     file_with("/sessions/0/snapshots", {{"s", {{"armed", "slow"}}}}),
     "state.json: must be a line for each armed scenario: microseconds since 1970, a "
     "blank, its name; export it again, or remove this cell "
     "[/sessions/0/snapshots/s/armed]"},
    {"a_wrong_seed", file_with("/sessions/0/cells", {{"seed", "-1"}}),
     "state.json: must be a number in decimal digits; export it again, or remove this "
     "cell [/sessions/0/cells/seed]"},
    {"a_record_that_is_no_json", file_with("/sessions/0/cells", {{"record/a/b", "{\"id\": "}}),
     "state.json: must be JSON, or \"\" for a record that was removed; export it "
     "again, or remove this cell [/sessions/0/cells/record~1a~1b]"},
    {"wrong_base64", file_with("/sessions/0/cells", {{"k", {{"base64", "?"}}}}),
     "state.json: must be base64 [/sessions/0/cells/k]"},
    {"no_journal", file_with("/sessions/0/journal", json::object()),
     "state.json: must have a member \"is_partial\" [/sessions/0/journal]"},
    {"an_entry_without_request",
     file_with("/sessions/0/journal/entries", json::array({json::object()})),
     "state.json: must have a member \"time_us\" [/sessions/0/journal/entries/0]"}};

INSTANTIATE_TEST_SUITE_P(Rows, StateFileOfTransfer,
                         ::testing::ValuesIn(spec::tests::rows(kRowsStateFileOfTransfer)),
                         spec::tests::kRowNames);

}  // namespace
}  // namespace mock_server::state::conformance
