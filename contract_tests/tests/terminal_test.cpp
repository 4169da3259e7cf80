// The program on a terminal: a line of progress that leaves nothing behind, and colours.

#include "contract_tests/tests/support/terminal.hpp"

#include "contract_tests/tests/support/child.hpp"
#include "contract_tests/tests/support/screen.hpp"
#include "contract_tests/tests/support/scripted_server.hpp"
#include "contract_tests/tests/support/suite_tests.hpp"
#include "spec/tests/paths.hpp"

#include <gmock/gmock.h>

#include <csignal>

namespace contract_tests {
namespace {

using nlohmann::json;
using support::screen;
using support::ScriptedServer;
using support::Terminal;
using testing::ContainsRegex;
using testing::Each;
using testing::HasSubstr;
using testing::Not;

constexpr const char* kErase = "\r\x1b[K";

std::map<std::string, std::string> on_xterm(std::map<std::string, std::string> more = {}) {
  more.insert({{"TERM", "xterm"}, {"COUNTERPART_MOCK_SERVER", test_paths::mock_server()}});
  return more;
}

// One case of the mock.
std::vector<std::string> one_case(std::vector<std::string> more = {}) {
  more.insert(more.end(), {"--filter", "GET_customers*a_plain_request*"});
  return more;
}

std::vector<std::string> at(const ScriptedServer& server, const std::string& filter) {
  return {"--base-url", server.url(),
          "--token",    "dodo_test_terminal_0123456789",
          "--subjects", (support::source_dir() / "fixtures/subjects.yaml").string(),
          "--filter",   filter};
}

// Every line of progress that was drawn.
std::vector<std::string> drawn(const std::string& written) {
  std::vector<std::string> lines;
  const std::string erase = kErase;
  for (auto at = written.find(erase); at != std::string::npos; at = written.find(erase, at)) {
    at += erase.size();
    lines.push_back(written.substr(at, written.find_first_of("\r\n\x1b", at) - at));
  }
  return lines;
}

TEST(OnATerminal, the_line_of_progress_leaves_failures_and_summary_as_in_a_pipe) {
  const ScriptedServer server({{.steps = support::json_response("200 OK", "{}"), .keep = true}});
  const auto arguments = at(server, "GET_customers*");

  const auto piped = support::run_child(test_paths::contract_tests(), arguments, on_xterm());
  Terminal terminal(test_paths::contract_tests(), arguments, on_xterm(), 200);

  EXPECT_EQ(terminal.end(), 1) << terminal.written();
  EXPECT_EQ(piped.exit_code, 1) << piped.err;
  EXPECT_THAT(piped.out, HasSubstr("must have the property"));
  EXPECT_THAT(piped.out, Not(ContainsRegex("of [0-9]+ cases")));
  EXPECT_THAT(terminal.written(), ContainsRegex("[0-9]+ of [0-9]+ cases, [0-9]+ failed"));
  EXPECT_EQ(screen(terminal.written()), piped.err + piped.out);
}

TEST(OnATerminal, the_line_fits_and_is_gone_after_an_interrupt) {
  Terminal terminal(test_paths::contract_tests(), {"--rate", "1", "--filter", "GET_customers*"},
                    on_xterm(), 16);

  ASSERT_TRUE(terminal.wait_for(" cases")) << terminal.written();
  const auto before = terminal.written().size();
  terminal.resize(6);
  ASSERT_TRUE(terminal.wait_for(kErase, before)) << terminal.written();
  terminal.signal(SIGINT);

  EXPECT_EQ(terminal.end(), 3) << terminal.written();
  EXPECT_THAT(drawn(terminal.written().substr(0, before)), Each(testing::SizeIs(testing::Le(15))));
  EXPECT_THAT(drawn(terminal.written().substr(before)), Each(testing::SizeIs(testing::Le(5))));
  EXPECT_THAT(screen(terminal.written()), HasSubstr("the run was interrupted"));
  EXPECT_THAT(screen(terminal.written()), Not(ContainsRegex("(^|\n)[0-9]+ of ")));
  EXPECT_THAT(terminal.written(), Not(HasSubstr("\x1b[?25l")));
}

TEST(OnATerminal, the_line_is_gone_when_a_second_signal_ends_the_run_at_once) {
  const ScriptedServer server({{.steps = support::json_response("404 Not Found", "{}")},
                               {.steps = support::json_response("200 OK", "{}")},
                               {.steps = json::array({{{"hang", true}}})}});
  Terminal terminal(test_paths::contract_tests(), at(server, "GET_customers*a_plain_request*"),
                    on_xterm(), 80);
  ASSERT_TRUE(terminal.wait_for("0 of 1 case, 0 failed")) << terminal.written();
  ASSERT_TRUE(server.wait_for_requests(3));  // the last one of them is the case's

  EXPECT_EQ(terminal.end_by_repeating(SIGINT), 128 + SIGINT) << terminal.written();

  EXPECT_EQ(screen(terminal.written()), "target: a service at " + server.url() + '\n');
}

TEST(OnATerminal, nothing_is_erased_where_it_cannot_be) {
  Terminal terminal(test_paths::contract_tests(), one_case(), on_xterm({{"TERM", "dumb"}}), 80);

  EXPECT_EQ(terminal.end(), 0) << terminal.written();
  EXPECT_THAT(terminal.written(), Not(HasSubstr("\x1b")));
  EXPECT_THAT(terminal.written(), Not(HasSubstr(" of 1 case")));
}

TEST(OnATerminal, the_listing_has_colours_and_no_line_of_progress) {
  Terminal terminal(test_paths::contract_tests(), one_case({"--verbose"}), on_xterm(), 80);

  EXPECT_EQ(terminal.end(), 0) << terminal.written();
  EXPECT_THAT(terminal.written(), HasSubstr("\x1b[0;32m[ RUN      ]"));
  EXPECT_THAT(terminal.written(), Not(HasSubstr(" of 1 case")));
}

TEST(OnATerminal, the_listing_has_no_colours_with_NO_COLOR) {
  Terminal terminal(test_paths::contract_tests(), one_case({"--verbose"}),
                    on_xterm({{"NO_COLOR", "1"}}), 80);

  EXPECT_EQ(terminal.end(), 0) << terminal.written();
  EXPECT_THAT(terminal.written(), HasSubstr("[ RUN      ]"));
  EXPECT_THAT(terminal.written(), Not(HasSubstr("\x1b")));
}

TEST(OnATerminal, the_flag_of_GoogleTest_comes_before_NO_COLOR) {
  Terminal terminal(test_paths::contract_tests(), one_case({"--gtest_color=yes"}),
                    on_xterm({{"NO_COLOR", "1"}}), 80);

  EXPECT_EQ(terminal.end(), 0) << terminal.written();
  EXPECT_THAT(terminal.written(), HasSubstr("\x1b[0;32m[ RUN      ]"));
}

}  // namespace
}  // namespace contract_tests
