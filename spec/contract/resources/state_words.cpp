#include "spec/contract/resources/state_words.hpp"

#include "spec/contract/resources/states.hpp"
#include "spec/text/ascii.hpp"
#include "spec/text/names.hpp"

#include <algorithm>
#include <array>
#include <sstream>

namespace spec::contract::resources {
namespace {

constexpr auto kVerbs = std::to_array<VerbWords>({
    {"accept", "accepted agreed confirmed", ""},
    {"activate", "active enabled live", ""},
    {"reactivate", "active enabled live open", "deactivate suspend cancel disable archive"},
    {"deactivate", "inactive deactivated disabled suspended paused", "activate active enable"},
    {"enable", "enabled active on", "disable"},
    {"disable", "disabled inactive off paused", "enable active"},
    {"abort", "aborted cancelled terminated", ""},
    {"approve", "approved accepted", ""},
    {"archive", "archived inactive", ""},
    {"unarchive", "active open draft published", "archive"},
    {"ban", "banned blocked suspended", ""},
    {"unban", "active", "ban block suspend"},
    {"begin", "begun started running inprogress active", ""},
    {"block", "blocked suspended", ""},
    {"unblock", "active open", "block suspend"},
    {"cancel", "cancelled voided aborted terminated", ""},
    {"checkin", "checkedin arrived active", ""},
    {"checkout", "checkedout ordered completed", ""},
    {"close", "closed resolved done", ""},
    {"complete", "completed done finished closed succeeded", ""},
    {"confirm", "confirmed accepted active", ""},
    {"decline", "declined rejected denied", ""},
    {"delete", "deleted removed", ""},
    {"deliver", "delivered completed", ""},
    {"deny", "denied rejected declined", ""},
    {"dispatch", "dispatched shipped sent", ""},
    {"do", "done completed", ""},
    {"finalize", "finalized open issued", ""},
    {"finish", "finished done completed", ""},
    {"freeze", "frozen suspended", ""},
    {"unfreeze", "active", "freeze frozen"},
    {"fulfill", "fulfilled shipped completed", ""},
    {"hide", "hidden", ""},
    {"unhide", "visible published", "hide hidden"},
    {"hold", "held onhold paused", ""},
    {"launch", "launched live active running", ""},
    {"lose", "lost", ""},
    {"pause", "paused onhold suspended inactive", ""},
    {"pay", "paid settled completed succeeded", ""},
    {"publish", "published live public active", ""},
    {"unpublish", "draft private inactive", "publish live public"},
    {"read", "read", "unread"},
    {"unread", "unread", "read"},
    {"redeem", "redeemed used", ""},
    {"reject", "rejected declined denied", ""},
    {"release", "released active", "hold held"},
    {"reopen", "open active pending inprogress", "close resolve complete archive"},
    {"reset", "pending draft new open", ""},
    {"resolve", "resolved closed done", ""},
    {"restore", "active open draft", "delete archive trash remove"},
    {"resume", "active running inprogress open", "pause suspend"},
    {"retry", "queued pending retrying scheduled", ""},
    {"revoke", "revoked cancelled inactive", ""},
    {"run", "queued pending running", ""},
    {"send", "sent submitted delivered open", ""},
    {"review", "reviewed inreview underreview reviewing", ""},
    {"startreview", "inreview underreview reviewing", ""},
    {"startprogress", "inprogress started", ""},
    {"startwork", "inprogress working started", ""},
    {"ship", "shipped intransit dispatched sent", ""},
    {"sign", "signed", ""},
    {"start", "started running inprogress processing active", ""},
    {"stop", "stopped paused inactive completed", "start"},
    {"submit", "submitted inreview underreview pending", ""},
    {"suspend", "suspended paused inactive", ""},
    {"unsuspend", "active", "suspend"},
    {"terminate", "terminated cancelled ended closed", ""},
    {"trash", "trashed deleted", ""},
    {"unpause", "active running open", "pause"},
    {"unlock", "unlocked active open", "lock"},
    {"void", "voided cancelled", ""},
    {"win", "won", ""},
    {"withdraw", "withdrawn cancelled", ""},
});

std::string plain_first(std::string_view words) {
  return std::string(words.substr(0, words.find(' ')));
}

// "markAsPaid" and "mark-as-paid" as "mark", "as", "paid".
std::vector<std::string> words_of_name(std::string_view name) {
  std::string spaced;
  char before = ' ';
  for (const char c : name) {
    const bool is_upper = c >= 'A' && c <= 'Z';
    spaced += is_upper && before >= 'a' && before <= 'z' ? " " : "";
    spaced += text::is_letter_or_digit(c) ? c : ' ';
    before = c;
  }
  return text_words(text::to_lower(spaced));
}

bool has_word(std::string_view list, const std::string& word) {
  const auto words = text_words(list);
  return std::ranges::find(words, word) != words.end();
}

void drop_end(std::string& word, std::size_t count) {
  word.resize(word.size() - count);
}

}  // namespace

std::string stem_of(std::string_view word) {
  constexpr std::size_t kLong = 5;
  std::string stem = text::plain_name(word);
  if (stem.ends_with("ing") && stem.size() > kLong) {
    drop_end(stem, 3);
  } else if (stem.ends_with("ed") && stem.size() >= kLong) {
    drop_end(stem, 2);
  } else if (stem.ends_with('e') && stem.size() > 3) {
    drop_end(stem, 1);
  } else if (stem.ends_with('y') && stem.size() > 3) {
    stem.back() = 'i';
  }
  if (stem.ends_with("at") && stem.size() >= kLong) {
    drop_end(stem, 2);  // "activate" is "active"
  }
  const std::size_t size = stem.size();
  if (size > 3 && stem[size - 1] == stem[size - 2]) {
    drop_end(stem, 1);
  }
  return stem;
}

std::vector<std::string> text_words(std::string_view list) {
  std::istringstream in{std::string(list)};
  std::vector<std::string> words;
  for (std::string word; in >> word;) {
    words.push_back(word);
  }
  return words;
}

VerbWords words_of_verb(const std::string& verb) {
  const std::string stem = stem_of(verb);
  for (const bool by_state : {false, true}) {
    const auto found = std::ranges::find_if(kVerbs, [&](const VerbWords& row) {
      return stem_of(by_state ? plain_first(row.states) : std::string(row.verb)) == stem;
    });
    if (found != kVerbs.end()) {
      return *found;
    }
  }
  return {};
}

std::string_view states_of_opposite(const std::string& verb) {
  const auto found = std::ranges::find_if(kVerbs, [&](const VerbWords& row) {
    return stem_of(plain_first(row.opposites)) == stem_of(verb);
  });
  return found == kVerbs.end() ? std::string_view{} : found->states;
}

std::string verb_in(std::string_view segment, std::string_view resource) {
  constexpr std::string_view kBefore = "mark as set make do request is be put move to";
  constexpr std::string_view kAfter = "now it";
  auto parts = words_of_name(segment);
  while (parts.size() > 1 && has_word(kBefore, parts.front())) {
    parts.erase(parts.begin());
  }
  const auto is_of_record = [&](const std::string& word) {
    return has_word(kAfter, word) || word == text::plain_name(resource) ||
           word == text::plain_name(text::singular(resource));
  };
  while (parts.size() > 1 && is_of_record(parts.back())) {
    parts.pop_back();
  }
  std::string verb;
  for (const std::string& part : parts) {
    verb += part;
  }
  return verb;
}

std::string without_negation(const std::string& verb) {
  constexpr std::size_t kMinRest = 3;
  for (const std::string_view prefix : {"un", "de", "dis"}) {
    if (verb.starts_with(prefix) && verb.size() >= prefix.size() + kMinRest) {
      return verb.substr(prefix.size());
    }
  }
  return "";
}

std::string mark_in(std::string_view name) {
  auto parts = words_of_name(name);
  if (parts.size() > 1 && has_word("is has was date", parts.front())) {
    parts.erase(parts.begin());
  }
  while (parts.size() > 1 && has_word("at on date time datetime timestamp", parts.back())) {
    parts.pop_back();
  }
  std::string mark;
  for (const std::string& part : parts) {
    mark += part;
  }
  return mark;
}

bool is_word_for_state(std::string_view name) {
  const auto parts = words_of_name(name);
  return !parts.empty() && has_word("status state phase stage lifecycle", parts.back());
}

bool is_word_for_progress(std::string_view name) {
  return has_word("progress percent percentage percentcomplete progresspercent percentagecomplete",
                  text::plain_name(name));
}

}  // namespace spec::contract::resources
