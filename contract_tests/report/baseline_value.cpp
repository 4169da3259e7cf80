#include "contract_tests/report/baseline_value.hpp"

#include "contract_tests/findings/finding_text.hpp"
#include "spec/text/quote.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstdint>
#include <string_view>

namespace contract_tests::report {

using findings::EntryState;
using findings::text_of;
using nlohmann::json;
using spec::text::counted;

namespace {

constexpr long kSoon = 14;  // days before its end in which an entry is warned of
constexpr std::size_t kMaxText = 160;

json entry_json(const findings::EntryResult& standing) {
  const auto& entry = standing.entry;
  json value{{"id", entry.id},
             {"state", to_text(standing.state)},
             {"rule", entry.rule},
             {"operation", entry.operation},
             {"place", entry.place},
             {"says", entry.says},
             {"reason", entry.reason},
             {"owner", entry.owner},
             {"expires", findings::to_text(entry.expires)},
             {"days_left", standing.days_left},
             {"cases", entry.cases.size()},
             {"proved", standing.proved}};
  if (!entry.ticket.empty()) {
    value["ticket"] = entry.ticket;
  }
  return value;
}

EntryState state_from(const std::string& text) {
  for (std::size_t at = 0; at < findings::kEntryStates; ++at) {
    const auto state = static_cast<EntryState>(static_cast<std::uint8_t>(at));
    if (to_text(state) == text) {
      return state;
    }
  }
  return EntryState::kNotSeen;
}

findings::EntryResult standing_from(const json& value) {
  findings::EntryResult standing{.entry = {},
                                 .state = state_from(text_of(value, "state")),
                                 .days_left = value.at("days_left").get<long>(),
                                 .proved = value.at("proved").get<std::size_t>()};
  auto& entry = standing.entry;
  entry.id = text_of(value, "id");
  entry.rule = text_of(value, "rule");
  entry.operation = text_of(value, "operation");
  entry.place = text_of(value, "place");
  entry.says = text_of(value, "says");
  entry.reason = text_of(value, "reason");
  entry.owner = text_of(value, "owner");
  entry.ticket = text_of(value, "ticket");
  entry.expires = findings::date_from(text_of(value, "expires")).value_or(findings::Date{});
  entry.cases.resize(value.at("cases").get<std::size_t>());
  return standing;
}

std::string days_of(long days) {
  return counted(static_cast<std::size_t>(days), "day", "days");
}

std::string in_days(long days) {
  return days == 0 ? "today" : "in " + days_of(days);
}

bool is_in(const json& entry, std::string_view state) {
  return entry.at("state") == state;
}

bool ends_soon(const json& entry) {
  return is_in(entry, "known") && entry.at("days_left").get<long>() <= kSoon;
}

// "billing, PAY-812".
std::string owner_of(const json& entry) {
  const auto ticket = text_of(entry, "ticket");
  return text_of(entry, "owner") + (ticket.empty() ? "" : ", " + ticket);
}

// "schema/required GET /customers/{customer_id} body (billing, PAY-812)".
std::string named(const json& entry) {
  return text_of(entry, "rule") + ' ' + text_of(entry, "operation") + ' ' +
         text_of(entry, "place") + " (" + spec::text::shortened(owner_of(entry), kMaxText) + ')';
}

// True if the entries with the id are no longer in the file.
bool is_pruned(const json& baseline, const json& entry) {
  const auto& pruned = baseline.at("pruned");
  return std::ranges::find(pruned, entry.at("id")) != pruned.end();
}

std::string line_of_entry(const json& baseline, const json& entry) {
  const auto left = is_pruned(baseline, entry) ? "; it was dropped from the file"
                                               : "; --baseline-prune drops it from the file";
  if (is_in(entry, "expired")) {
    return "expired on " + text_of(entry, "expires") + ": " + named(entry);
  }
  if (ends_soon(entry)) {
    return "expires " + in_days(entry.at("days_left").get<long>()) + ": " + named(entry);
  }
  if (is_in(entry, "fixed")) {
    return "fixed: " + named(entry) + left;
  }
  if (is_in(entry, "stale")) {
    return "stale, because the contract or the rule book no longer says it: " + named(entry) + left;
  }
  return {};
}

void add_entries(const json& baseline, std::string_view state, std::vector<std::string>& lines) {
  for (const auto& entry : baseline.at("entries")) {
    if (is_in(entry, state)) {
      if (auto line = line_of_entry(baseline, entry); !line.empty()) {
        lines.push_back(std::move(line));
      }
    }
  }
}

void add_file_lines(const json& baseline, std::vector<std::string>& lines) {
  if (const auto count = baseline.at("counts").at("not_seen").get<std::size_t>(); count > 0) {
    lines.push_back("not seen: " + counted(count, "entry", "entries") +
                    "; not all of their cases ran and passed");
  }
  if (const auto count = baseline.at("written").size(); count > 0) {
    lines.push_back("written: " + counted(count, "new finding", "new findings") +
                    "; the next run knows them");
  }
  if (const auto count = baseline.at("not_written").size(); count > 0) {
    lines.push_back("not written: " + counted(count, "leak", "leaks") +
                    " of tokens or of internals of the server, which no baseline can hold");
  }
}

}  // namespace

json to_json(const findings::BaselineResult& result) {
  auto entries = json::array();
  for (const auto& standing : result.entries) {
    entries.push_back(entry_json(standing));
  }
  json counts{{"new", result.unknown}};
  for (const auto state : {EntryState::kKnown, EntryState::kFixed, EntryState::kNotSeen,
                           EntryState::kExpired, EntryState::kStale}) {
    counts[std::string(to_text(state))] = result.count(state);
  }
  return {{"file", result.file},
          {"strict", result.strict},
          {"counts", std::move(counts)},
          {"entries", std::move(entries)},
          {"written", result.written},
          {"pruned", result.pruned},
          {"not_written", result.not_written}};
}

findings::BaselineResult baseline_from(const json& value) {
  findings::BaselineResult result{.file = text_of(value, "file"),
                                  .strict = value.at("strict").get<bool>(),
                                  .entries = {},
                                  .unknown = value.at("counts").at("new").get<std::size_t>()};
  for (const auto& entry : value.at("entries")) {
    result.entries.push_back(standing_from(entry));
  }
  return result;
}

std::string with_known(const json& run) {
  const auto baseline = run.find("baseline");
  if (baseline == run.end() || baseline->at("counts").at("known") == 0) {
    return {};
  }
  const auto known = baseline->at("counts").at("known").get<std::size_t>();
  std::size_t soon = 0;
  long last = 0;
  for (const auto& entry : baseline->at("entries")) {
    if (ends_soon(entry)) {
      ++soon;
      last = std::max(last, entry.at("days_left").get<long>());
    }
  }
  auto text = ", with " + counted(known, "known finding", "known findings");
  if (soon == 1) {
    text += " (1 expires " + in_days(last) + ')';
  } else if (soon > 1) {
    text += " (" + std::to_string(soon) +
            (last == 0 ? " expire today" : " expire within " + days_of(last)) + ')';
  }
  return text;
}

std::vector<std::string> baseline_lines(const json& run) {
  std::vector<std::string> lines;
  if (const auto baseline = run.find("baseline"); baseline != run.end()) {
    for (const auto* state : {"expired", "known", "fixed", "stale"}) {
      add_entries(*baseline, state, lines);
    }
    add_file_lines(*baseline, lines);
  }
  return lines;
}

std::map<std::string, const json*> entries_by_id(const json& run) {
  std::map<std::string, const json*> entries;
  if (const auto baseline = run.find("baseline"); baseline != run.end()) {
    for (const auto& entry : baseline->at("entries")) {
      entries[text_of(entry, "id")] = &entry;
    }
  }
  return entries;
}

std::map<std::string, std::string> known_until(const json& run) {
  std::map<std::string, std::string> texts;
  for (const auto& [id, entry] : entries_by_id(run)) {
    texts[id] = "known until " + text_of(*entry, "expires") + ": " +
                spec::text::shortened(text_of(*entry, "reason"), kMaxText) + " (" +
                owner_of(*entry) + ')';
  }
  return texts;
}

}  // namespace contract_tests::report
