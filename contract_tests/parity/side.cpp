#include "contract_tests/parity/side.hpp"

#include "contract_tests/checks/response.hpp"
#include "contract_tests/run/display/curl_line.hpp"
#include "contract_tests/run/display/describe.hpp"
#include "spec/http/media_type.hpp"
#include "spec/json/pointer.hpp"
#include "spec/json/read.hpp"

#include <algorithm>
#include <set>
#include <string_view>

namespace contract_tests::parity {

using nlohmann::json;

namespace {

constexpr std::size_t kMaxKeptBody = 256U * 1024;  // bytes
constexpr std::size_t kMaxMemberDepth = 32;

bool was_sent(const run::Sent& sent) {
  return !sent.exchange.url.empty();
}

// The exchange that the case is about: of its own request, else the first.
const run::Sent* main_of(const run::CaseRun& case_run) {
  const auto& all = case_run.sent();
  auto found = std::ranges::find_if(all, [&case_run](const run::Sent& sent) {
    return was_sent(sent) && sent.request == case_run.item().request;
  });
  found = found == all.end() ? std::ranges::find_if(all, &was_sent) : found;
  return found == all.end() ? nullptr : &*found;
}

std::string media_type_of(const spec::http::Response& response) {
  const auto field = response.headers.find("Content-Type");
  const auto type = field ? spec::http::parse_media_type(*field) : std::nullopt;
  return type ? type->essence() : "";
}

// Of an error; "" for none.
std::string code_of(const spec::http::Response& response) {
  const auto body = spec::json::read(response.status >= 400 ? std::string_view(response.body) : "");
  return body ? std::string(spec::json::text_at(body.value(), "/code")) : "";
}

// Members of `whole` that `known` lacks, "*" for any element.
void add_unknown(const json& whole, const json& known, const std::string& at, std::size_t depth,
                 std::set<std::string>& places) {
  if (depth == kMaxMemberDepth) {
    return;
  }
  if (whole.is_object() && known.is_object()) {
    for (const auto& [name, value] : whole.items()) {
      const auto place = at + spec::json::pointer_of({name});
      const auto found = known.find(name);
      if (found == known.end()) {
        places.insert(place);
      } else {
        add_unknown(value, *found, place, depth + 1, places);
      }
    }
  } else if (whole.is_array() && known.is_array() && whole.size() == known.size()) {
    for (std::size_t index = 0; index < whole.size(); ++index) {
      add_unknown(whole[index], known[index], at + "/*", depth + 1, places);
    }
  }
}

Witness witness_of(const run::CaseRun& case_run, const run::Sent& sent) {
  const auto& settings = case_run.settings();
  return {.operation = case_run.operation().name,
          .case_id = case_run.item().id,
          .curl = run::display::curl_line(settings.secrets, sent.exchange),
          .response = settings.secrets.redacted(run::display::response_line(sent.exchange)),
          .status = sent.exchange.status()};
}

}  // namespace

void Side::note(const run::CaseRun& case_run) {
  const std::lock_guard lock(mutex_);
  for (const auto& sent : case_run.sent()) {
    if (was_sent(sent) && sent.conclusive) {
      note_response(case_run, sent);
    }
  }
  const auto* sent = main_of(case_run);
  if (sent == nullptr || !sent->exchange.answered()) {
    return;
  }
  std::string_view target = sent->exchange.sent.target;
  if (const auto& prefix = settings_.url.prefix; target.starts_with(prefix)) {
    target.remove_prefix(prefix.size());
  }
  Seen seen{.request = sent->exchange.sent.method + ' ' + std::string(target),
            .request_body = sent->exchange.sent.body,
            .status = sent->exchange.status(),
            .media_type = media_type_of(sent->exchange.response),
            .code = code_of(sent->exchange.response)};
  if (sent->accepted && sent->body && sent->normal && sent->exchange.sent.method == "GET" &&
      target.find('?') == std::string_view::npos &&
      sent->exchange.response.body.size() <= kMaxKeptBody) {
    seen.body = sent->body;
    seen.normal = sent->normal;
  }
  seen_.insert_or_assign(case_run.item().id, std::move(seen));
}

void Side::note_response(const run::CaseRun& case_run, const run::Sent& sent) {
  std::optional<Witness> witness;
  const auto found = [&](const std::string& place) {
    if (!witness) {
      witness = witness_of(case_run, sent);
    }
    places_.emplace(place, *witness);
  };
  const auto& operation = case_run.operation();
  touched_.note(operation, sent.exchange.response, sent.body ? &*sent.body : nullptr, found);
  if (sent.accepted) {
    const auto body = spec::json::read(sent.exchange.sent.body);
    if (operation.body && body) {
      touched_.note_accepted(operation, body.value(), found);
    }
    note_members(case_run, sent);
  }
}

void Side::note_members(const run::CaseRun& case_run, const run::Sent& sent) {
  if (!sent.body) {
    return;
  }
  const auto& operation = case_run.operation();
  bodies_.emplace(operation.name, sent.exchange.status());
  const auto add = [&](Places& places, const std::set<std::string>& shown) {
    for (const auto& place : shown) {
      if (const std::pair key(operation.name, place); !places.contains(key)) {
        places.emplace(key, witness_of(case_run, sent));
      }
    }
  };
  add(documented_,
      checks::documented_places(settings_.contract, operation, sent.exchange, *sent.body));
  std::set<std::string> unknown;
  if (const auto whole = spec::json::read(sent.exchange.response.body)) {
    add_unknown(whole.value(), *sent.body, "", 0, unknown);
  }
  add(undocumented_, unknown);
}

const Seen* Side::seen(const std::string& case_id) const {
  const auto found = seen_.find(case_id);
  return found == seen_.end() ? nullptr : &found->second;
}

const Witness* Side::witness(const spec::contract::Statement& assumption) const {
  const auto found = places_.find(shown_at(assumption));
  return found == places_.end() ? nullptr : &found->second;
}

}  // namespace contract_tests::parity
