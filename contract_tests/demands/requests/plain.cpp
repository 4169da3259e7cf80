// Cases for any operation: a plain request succeeds, gives the same response twice, and unknown
// identifiers are rejected; and the operation is reliable over the whole run.

#include "contract_tests/demands/requests/requests.hpp"
#include "contract_tests/demands/same.hpp"
#include "contract_tests/demands/together.hpp"

#include <algorithm>

namespace contract_tests::demands::requests {

namespace {

// The statement of the first declared success, else the operation.
checks::Source success_source(const Drafting& drafting) {
  const auto& responses = drafting.operation.responses;
  const auto success = std::ranges::find_if(responses, &spec::contract::Response::is_success);
  return drafting.source_of(success == responses.end() ? drafting.operation.statement
                                                       : success->statement);
}

void add_unknown(const Drafting& drafting) {
  std::size_t number = 0;
  for (const auto& unknown : drafting.rules.unknown) {
    const std::string which = ++number == 1 ? "" : " (" + std::to_string(number) + ")";
    auto item = drafting.draft("an unknown identifier is rejected" + which, "status/unknown");
    item.why.source.statement_class = StatementClass::kAssumption;
    item.request = overlay(item.request, unknown);
    item.expect.want = Want::kRejected;
    item.changed = "an unknown identifier";
    drafting.add(std::move(item));
  }
}

void add_path_cases(const Drafting& drafting) {
  if (drafting.plain.path.empty()) {
    return;
  }
  auto encoded = drafting.plain;
  encoded.encode_path = true;
  add_same(drafting, "a percent-encoded identifier gives the same response", "same/uri", encoded);

  // What shows an injection is a header of the response (checks/fields.cpp); any other wrong
  // response is the fault of a status.
  auto item = drafting.draft_survived("a line break in the identifier is not copied into a header",
                                      "status/hostile",
                                      "a line break and a header's text behind the identifier");
  for (auto& [name, value] : item.request.path) {
    value += "\r\nX-Evil: 1";
  }
  drafting.add(std::move(item));
}

// Two requests at once must not get each other's responses.
void add_together(const Drafting& drafting) {
  if (drafting.rules.unknown.empty() || !may_be_repeated(drafting)) {
    return;
  }
  auto item =
      drafting.draft_by_book("two requests at once get their own responses", "http/poisoned");
  ask_together(item, overlay(drafting.plain, drafting.rules.unknown.front()));
  item.changed = "beside others at the same time";
  drafting.add(std::move(item));
}

// The statuses of the operation over the whole run.
void run_tally(CaseRun& case_run) {
  const auto counts = case_run.tally().counts();
  const auto found = counts.find(case_run.operation().name);
  if (found == counts.end()) {
    case_run.skip("no request of the operation was sent");
    return;
  }
  case_run.report(check_count(found->second), Sent{});
  if (found == counts.begin()) {  // once, for all operations
    case_run.report(check_acceptance(counts), Sent{});
  }
}

}  // namespace

void add_plain_cases(const Drafting& drafting) {
  auto plain = drafting.draft("a plain request succeeds and satisfies its schema", "status/success",
                              success_source(drafting));
  plain.is_plain = true;
  drafting.add(std::move(plain));
  add_same(drafting, "the same request twice gets the same response", "same/twice", drafting.plain);
  add_path_cases(drafting);
  add_unknown(drafting);
  add_together(drafting);

  auto unknown_query = drafting.plain;
  unknown_query.query.emplace_back("counterpart_unknown", "1");
  if (!drafting.is_rejected(unknown_query)) {  // an object parameter may spread over any name
    add_same(drafting, "an unknown query parameter changes nothing", "same/unknown-query",
             unknown_query);
  }

  auto browser =
      drafting.draft_by_book("a request from a browser application succeeds", "http/cors");
  browser.request.headers.emplace_back("Origin", "https://app.counterpart.example");
  browser.request.headers.emplace_back("Sec-Fetch-Mode", "cors");
  browser.changed = {"header", "Origin"};
  drafting.add(std::move(browser));

  auto tally =
      drafting.draft_by_book("the operation is reliable over the whole run", "status/flaky");
  tally.run = &run_tally;
  tally.sends_nothing = true;
  tally.lane = "last";
  drafting.add(std::move(tally));
}

}  // namespace contract_tests::demands::requests
