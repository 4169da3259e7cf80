#include "contract_tests/recorded/calls.hpp"

#include "contract_tests/recorded/expectation.hpp"
#include "spec/contract/checking/request_credentials.hpp"
#include "spec/har/api_place.hpp"
#include "spec/http/form.hpp"
#include "spec/http/message.hpp"
#include "spec/text/ascii.hpp"
#include "spec/text/encoding.hpp"
#include "spec/text/quote.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <string_view>
#include <utility>

namespace contract_tests::recorded {

using spec::contract::Contract;
using spec::har::Call;

namespace {

constexpr std::size_t kMaxNamed = 5;      // of what is not used
constexpr std::size_t kMaxProblems = 20;  // of entries, each a line

run::Case case_of(const Contract& contract, const spec::contract::Match& match, const Call& call) {
  run::Case item;
  item.operation = match.operation->id;
  item.operation_name = match.operation->name;
  item.sentence = "a recorded call";
  item.id = "call_" + std::to_string(call.index + 1) + '.' + run::slug(match.operation->name);
  item.request.path = {match.path_values.begin(), match.path_values.end()};
  if (call.request.method != match.operation->method) {
    item.request.method = call.request.method;
  }
  expect(contract, *match.operation, call, match.path_values, item);
  return item;
}

// What is not used, by its kind: how many, and the first few.
class LeftOut {
 public:
  void add(const std::string& kind, const std::string& what) {
    auto& [count, names] = kinds_[kind];
    ++count;
    if (names.size() < kMaxNamed && std::ranges::find(names, what) == names.end()) {
      names.push_back(what);
    }
  }

  void append_to(std::vector<std::string>& notes) const {
    for (const auto& [kind, found] : kinds_) {
      const auto& [count, names] = found;
      notes.push_back(kind + " [" + (count == 1 ? "1 call" : std::to_string(count) + " calls") +
                      "]: " + spec::text::join(names) + (count > names.size() ? ", ..." : ""));
    }
  }

 private:
  std::map<std::string, std::pair<std::size_t, std::vector<std::string>>> kinds_;
};

std::string short_name(const Call& call) {
  return call.request.method + ' ' +
         spec::text::printable(spec::http::path_of(call.request.target));
}

std::vector<std::string> problem_lines(const std::vector<spec::Problem>& problems) {
  std::vector<std::string> lines;
  for (const auto& problem : problems) {
    if (lines.size() == kMaxProblems) {
      lines.push_back("and " + std::to_string(problems.size() - kMaxProblems) +
                      " more entries that cannot be read");
      break;
    }
    lines.push_back("cannot be read: " + to_line(problem));
  }
  return lines;
}

using Words = std::set<std::string>;

void add_keys_of_query(const Call& call, const Words& parameters, Words& secrets) {
  for (const auto& pair : spec::http::split_form(spec::http::query_of(call.request.target))) {
    if (parameters.contains(pair.name)) {
      secrets.insert(
          spec::text::percent_decode(pair.value, true).value_or(std::string(pair.value)));
    }
  }
}

// `fields`: those that hold keys, beside Authorization and Cookie.
void add_keys_of_field(const std::string& name, const std::string& value, const Words& fields,
                       Words& secrets) {
  const auto is_name = [&](std::string_view field) {
    return spec::text::equals_ignoring_case(field, name);
  };
  if (is_name("Authorization")) {
    const auto blank = value.find(' ');
    secrets.insert(value.substr(blank == std::string::npos ? 0 : blank + 1));
  } else if (std::ranges::any_of(fields, is_name)) {
    secrets.insert(value);
  } else if (is_name("Cookie")) {
    for (const auto& cookie : spec::http::split_cookies(value)) {
      secrets.emplace(cookie.value);
    }
  }
}

}  // namespace

RecordedCalls choose_calls(const Contract& contract, spec::har::Recording recording,
                           const std::optional<client::BaseUrl>& url) {
  RecordedCalls chosen;
  chosen.unread = problem_lines(recording.problems);
  spec::har::ApiPlace place(contract);
  for (const auto& call : recording.calls) {
    place.add(call);
  }
  const auto origin = url ? "" : place.origin();
  const auto base = place.base();
  LeftOut left_out;
  for (auto& call : recording.calls) {
    if (url ? !spec::har::take_base(call, *url) : !origin.empty() && call.origin != origin) {
      left_out.add("another host", call.origin);
      continue;
    }
    if (spec::http::is_preflight(call.request)) {
      left_out.add("a preflight", short_name(call));
      continue;
    }
    const auto match =
        contract.route(call.request.method, spec::http::path_of(call.request.target));
    if (match.kind != spec::contract::Match::Kind::kFound) {
      left_out.add("no operation of the contract", short_name(call));
      continue;
    }
    chosen.origin = call.origin;
    chosen.plan.cases.push_back(case_of(contract, match, call));
    chosen.calls.push_back(std::move(call));
  }
  left_out.append_to(chosen.left_out);
  if (chosen.calls.empty() && !base.empty()) {
    chosen.hint = "calls match operations below a path; if the API is there, pass --base-url " +
                  spec::text::printable(base);
  }
  return chosen;
}

std::vector<std::string> secrets_of(const Contract& contract, const std::vector<Call>& calls) {
  using spec::contract::Location;
  Words fields{"X-Api-Key", "Proxy-Authorization"};
  Words parameters;
  for (const auto& [location, name] : spec::contract::api_keys(contract)) {
    if (location == Location::kHeader || location == Location::kQuery) {
      (location == Location::kHeader ? fields : parameters).insert(name);
    }
  }
  Words words;
  for (const auto& call : calls) {
    add_keys_of_query(call, parameters, words);
    for (const auto& [name, value] : call.request.headers.lines()) {
      add_keys_of_field(name, value, fields, words);
    }
  }
  words.erase("");
  return {words.begin(), words.end()};
}

}  // namespace contract_tests::recorded
