#include "spec/contract/resources/states.hpp"

#include "spec/contract/resources/body_shapes.hpp"
#include "spec/contract/resources/state_words.hpp"
#include "spec/json/pointer.hpp"
#include "spec/schema/constants.hpp"
#include "spec/text/ascii.hpp"
#include "spec/text/names.hpp"

#include <algorithm>
#include <utility>

namespace spec::contract::resources {
namespace {

using json::pointer_of;
using nlohmann::json;
using nlohmann::ordered_json;
using schema::Schemas;
using schema::Summary;
using Texts = std::vector<std::string>;

// The texts that an enum lists.
Texts listed_texts(const Summary& summary) {
  Texts texts;
  if (!summary.listed.empty()) {
    for (const auto& value : summary.listed.front()->values()) {
      if (value.is_string()) {
        texts.push_back(value.get<std::string>());
      }
    }
  }
  return texts;
}

bool is_going_on(std::string_view word) {
  return text::to_lower(word).ends_with("ing");
}

// The first of the texts, in the order of the words, that has the stem of a word; what is being
// done is not done.
std::string first_listed(const Texts& texts, std::string_view words) {
  for (const std::string& word : text_words(words)) {
    const auto found = std::ranges::find_if(texts, [&](const std::string& one) {
      return stem_of(one) == stem_of(word) && is_going_on(one) == is_going_on(word);
    });
    if (found != texts.end()) {
      return *found;
    }
  }
  return "";
}

// A member of the record, or of its "attributes".
struct Member {
  Texts at;
  const Summary* summary = nullptr;
};

std::vector<Member> members_of(const Contract& contract, const Schemas& record) {
  std::vector<Member> members;
  for (const auto& [name, inner] : summary_of(contract, record).properties) {
    members.push_back({{name}, &summary_of(contract, inner)});
    if (text::plain_name(name) == "attributes") {
      for (const auto& [own, schemas] : members.back().summary->properties) {
        members.push_back({{name, own}, &summary_of(contract, schemas)});
      }
    }
  }
  std::stable_partition(members.begin(), members.end(),
                        [](const Member& one) { return is_word_for_state(one.at.back()); });
  return members;
}

// The words of an action, best first: its own stem, then those of states that it leads to.
struct Action {
  std::string verb;
  Texts states;
  Texts undone;  // stems of actions that it takes back
};

Action action_of(std::string_view segment, std::string_view resource, bool is_undone) {
  const std::string verb = verb_in(segment, resource);
  const VerbWords words = words_of_verb(verb);
  Action action{verb, {stem_of(verb)}, {}};
  for (const std::string& state : text_words(words.states)) {
    action.states.push_back(stem_of(state));
  }
  for (const std::string& other : text_words(words.opposites)) {
    action.undone.push_back(stem_of(other));
  }
  if (const std::string rest = without_negation(verb); !rest.empty()) {
    action.undone.push_back(stem_of(rest));
  }
  if (!is_undone) {
    return action;
  }
  Action back{"undo " + verb, {}, {stem_of(verb)}};
  for (const std::string& state : text_words(states_of_opposite(verb))) {
    back.states.push_back(stem_of(state));
  }
  return back;
}

Texts with_stem(const Texts& texts, const std::string& stem) {
  Texts found;
  for (const std::string& one : texts) {
    if (stem_of(one) == stem) {
      found.push_back(one);
    }
  }
  std::stable_partition(found.begin(), found.end(), [](const std::string& one) {
    return !is_going_on(one);  // done, not being done
  });
  return found;
}

// Those that begin with the stem: "closed_won" for "close".
Texts starting_with(const Texts& texts, const std::string& stem) {
  constexpr std::size_t kMinStem = 4;
  Texts found;
  for (const std::string& one : texts) {
    if (stem.size() >= kMinStem && text::plain_name(one).starts_with(stem)) {
      found.push_back(one);
    }
  }
  return found;
}

// The values of the enum that the action leads to, the chosen one first.
Texts states_after(const Action& action, const Member& member) {
  const Texts texts = listed_texts(*member.summary);
  for (const std::string& stem : action.states) {
    Texts found = with_stem(texts, stem);
    std::erase_if(found, [&](const std::string& one) {
      return !is_word_for_state(member.at.back()) && text::plain_name(one) == action.verb;
    });
    if (!found.empty()) {
      return found;
    }
  }
  return is_word_for_state(member.at.back()) && !action.states.empty()
             ? starting_with(texts, action.states.front())
             : Texts{};
}

bool is_among(const Texts& stems, const std::string& stem) {
  return std::ranges::find(stems, stem) != stems.end();
}

class EffectFinder {
 public:
  EffectFinder(const Contract& contract, const Schemas& record, Action action)
      : members_(members_of(contract, record)), action_(std::move(action)) {}

  Effect find() {
    add_state();
    // What the verb itself names; without a state also what means the same.
    const std::size_t words = has_state_ ? kNearWords : action_.states.size();
    for (std::size_t i = 0; i < std::min(words, action_.states.size()); ++i) {
      add_marks(action_.states[i]);
    }
    take_back();
    return std::move(effect_);
  }

 private:
  void add_state() {
    for (const Member& member : members_) {
      const Texts found = states_after(action_, member);
      if (found.empty()) {
        continue;
      }
      has_state_ = true;
      effect_.set[pointer_of(member.at)] = found.front();
      note("sets " + member.at.back() + " to " + found.front());
      for (std::size_t i = 1; i < found.size(); ++i) {
        effect_.why += (i == 1 ? " (its enum has also " : ", ") + found[i];
      }
      effect_.why += found.size() > 1 ? ")" : "";
      return;
    }
  }

  // Booleans and dates of that stem: "is_archived", "archived_at".
  void add_marks(const std::string& stem) {
    const bool has_boolean = has_boolean_;
    const bool has_date = has_date_;
    for (const Member& member : members_) {
      const std::string name = mark_in(member.at.back());
      const bool is_date = is_date_of_mark(member);
      // "cancel_at" is when it is to be cancelled.
      const bool is_planned = is_date && name == action_.verb && !is_word_for_past(name);
      if ((!member.summary->is_boolean() && !is_date) || stem_of(name) != stem || is_planned) {
        continue;
      }
      const bool is_of_other = is_date && stem != action_.states.front() && !action_.undone.empty();
      if (is_of_other || (is_date ? has_date : has_boolean)) {  // of a better word
        continue;
      }
      (is_date ? has_date_ : has_boolean_) = true;
      effect_.set[pointer_of(member.at)] =
          is_date ? ordered_json{{"now", true}} : ordered_json(true);
      note("sets " + member.at.back());
    }
  }

  // "unarchive": not archived any more.
  void take_back() {
    for (const Member& member : members_) {
      const bool is_date = is_date_of_mark(member);
      const std::string pointer = pointer_of(member.at);
      if ((member.summary->is_boolean() || is_date) && !effect_.set.contains(pointer) &&
          is_among(action_.undone, stem_of(mark_in(member.at.back())))) {
        effect_.set[pointer] = is_date ? ordered_json(nullptr) : ordered_json(false);
        note("clears " + member.at.back());
      }
    }
  }

  static bool is_word_for_past(const std::string& mark) {
    return mark != "cancel" && is_among(text_words(kEndWords), mark);
  }

  static bool is_date_of_mark(const Member& member) {
    const std::string& name = member.at.back();
    const Summary& summary = *member.summary;
    return mark_in(name) != text::plain_name(name) && !summary.is_boolean() &&
           (summary.format.starts_with("date") || summary.is_number());
  }

  void note(const std::string& what) {
    effect_.why += (effect_.why.empty() ? action_.verb + ' ' : ", ") + what;
  }

  std::vector<Member> members_;
  Action action_;
  Effect effect_;
  static constexpr std::size_t kNearWords = 4;
  bool has_state_ = false;
  bool has_boolean_ = false;
  bool has_date_ = false;
};

}  // namespace

std::optional<json> first_state(const Contract& contract, const Schemas& schemas,
                                std::string_view name) {
  if (schemas.empty() || !is_word_for_state(name)) {
    return std::nullopt;
  }
  const Texts texts = listed_texts(summary_of(contract, schemas));
  if (texts.empty()) {
    return std::nullopt;
  }
  const auto found = schema::keyword_value(contract.schemas().program(), schemas,
                                           schema::Reach::kUnlessNull, "default");
  if (found && !found.value().is_null()) {
    return found.value();
  }
  const std::string first = first_listed(texts, kFirstStates);
  const auto begins = std::ranges::find_if(texts, [](const std::string& one) {
    return first_listed({one}, kDoneStates).empty() && first_listed({one}, kEndStates).empty() &&
           first_listed({one}, kEndWords).empty();
  });
  if (!first.empty()) {
    return first;
  }
  return begins != texts.end() ? *begins : texts.front();
}

bool is_word_for_end(std::string_view name) {
  return is_among(text_words(kEndWords), mark_in(name));
}

Effect effect_of(const Contract& contract, const Schemas& record, std::string_view verb,
                 std::string_view resource, bool is_undone) {
  return EffectFinder(contract, record, action_of(verb, resource, is_undone)).find();
}

std::optional<StateMember> state_member(const Contract& contract, const Schemas& record) {
  for (const auto& [name, inner] : summary_of(contract, record).properties) {
    const auto first = first_state(contract, inner, name);
    if (first && first->is_string()) {
      const Texts texts = listed_texts(summary_of(contract, inner));
      return StateMember{
          name, first->get<std::string>(),
          !first_listed(texts, kWorkStates).empty() && !first_listed(texts, kDoneStates).empty()};
    }
  }
  return std::nullopt;
}

ordered_json progress_of(const Contract& contract, const Schemas& record, std::string_view from) {
  constexpr int kStartsAfter = 2;
  constexpr int kEndsAfter = 5;
  ordered_json steps = ordered_json::array();
  const auto state = state_member(contract, record);
  if (!state) {
    return steps;
  }
  const Schemas& schemas = *summary_of(contract, record).property(state->member);
  const Texts texts = listed_texts(summary_of(contract, schemas));
  const std::string work = first_listed(texts, kWorkStates);
  const std::string done = first_listed(texts, kDoneStates);
  const bool is_waiting = !first_listed({std::string(from)}, kWaitStates).empty();
  if (done.empty() || done == from || (!is_waiting && work != from)) {
    return steps;
  }
  const auto add_step = [&](int seconds, std::string_view verb, const std::string& value) {
    ordered_json set = effect_of(contract, record, verb, "", false).set;
    for (const auto& [name, inner] : summary_of(contract, record).properties) {
      const Summary& summary = summary_of(contract, inner);
      if (value == done && is_word_for_progress(name) && summary.is_number()) {
        set[pointer_of({name})] = summary.maximum.value_or(100) <= 1 ? 1 : 100;
      }
    }
    set[pointer_of({state->member})] = value;
    steps.push_back({{"seconds", seconds}, {"set", std::move(set)}});
  };
  if (is_waiting && !work.empty() && work != from) {
    add_step(kStartsAfter, "start", work);
  }
  add_step(kEndsAfter, "complete", done);
  return steps;
}

bool is_word_for_interruption(std::string_view verb) {
  const std::string stem = stem_of(verb_in(verb, ""));
  return std::ranges::any_of(text_words(kInterruptions),
                             [&](const std::string& word) { return stem_of(word) == stem; });
}

namespace {

// The member of a token in the object; "" if there is none.
std::string member_among(const Contract& contract, const Schemas& object, std::string_view words) {
  for (const std::string& word : text_words(words)) {
    for (const auto& [name, inner] : summary_of(contract, object).properties) {
      if (text::plain_name(name) == word && summary_of(contract, inner).is_scalar()) {
        return name;
      }
    }
  }
  return "";
}

bool is_login(const Operation& operation) {
  std::string last;
  for (const Segment& segment : operation.segments) {
    if (!segment.empty() && !segment.back().is_parameter) {
      last = text::plain_name(segment.back().text);
    }
  }
  const Texts words = text_words(kLogins);
  const std::string id = text::plain_name(operation.id);
  return operation.method == "POST" &&
         (is_among(words, last) || id == "login" || id == "signin" || id.starts_with("loginuser"));
}

}  // namespace

ordered_json issued_token(const Contract& contract, const Operation& operation) {
  const Schemas body = is_login(operation) ? response_body(contract, operation) : Schemas{};
  if (body.empty()) {
    return nullptr;
  }
  std::vector<std::pair<Texts, Schemas>> places{{{}, body}};
  for (const auto& [name, inner] : summary_of(contract, body).properties) {
    places.emplace_back(Texts{name}, inner);
  }
  for (auto& [at, schemas] : places) {
    const std::string token = member_among(contract, schemas, kTokens);
    if (token.empty() ||
        !summary_of(contract, *summary_of(contract, schemas).property(token)).is_string()) {
      continue;
    }
    const auto place = [&at = at](const std::string& member) {
      Texts whole = at;
      whole.push_back(member);
      return pointer_of(whole);
    };
    ordered_json issued{{"token", place(token)}};
    if (const auto end = member_among(contract, schemas, kLifetimes); !end.empty()) {
      issued["until"] = place(end);
    }
    return issued;
  }
  return nullptr;
}

}  // namespace spec::contract::resources
