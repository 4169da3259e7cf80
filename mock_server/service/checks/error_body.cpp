#include "mock_server/service/checks/error_body.hpp"

#include "mock_server/service/checks/error_words.hpp"
#include "spec/http/message.hpp"
#include "spec/json/number.hpp"
#include "spec/text/names.hpp"
#include "spec/text/utf8.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <string>
#include <utility>

namespace mock_server::service::checks {

namespace {

using nlohmann::json;
using spec::json::is_number;

constexpr int kMaxDepth = 8;

// An object of the body while it is filled.
struct ErrorScope {
  const ErrorDetail* detail = nullptr;  // that an element of a list is about
  bool is_element = false;
  bool has_title = false;
  bool has_description = false;  // OAuth's: RFC 6749 §5.2
  bool has_words = false;
  bool has_place = false;
};

std::string field_of(const ErrorDetail& detail) {
  std::string field = detail.pointer.empty() ? detail.part : detail.pointer.substr(1);
  std::ranges::replace(field, '/', '.');
  return field;
}

std::string line_of(const ErrorDetail& detail) {
  return detail.part + detail.pointer + ": " + detail.words;
}

// ["body", "address", "city"].
json tokens_of(const ErrorDetail& detail) {
  json tokens = json::array({detail.part});
  for (std::size_t at = 1; at <= detail.pointer.size();) {
    const std::size_t end = std::min(detail.pointer.find('/', at), detail.pointer.size());
    tokens.push_back(detail.pointer.substr(at, end - at));
    at = end + 1;
  }
  return tokens;
}

// Places before messages, those before the other scalars, lists last: an element needs its place
// for the words of its message, and a list is filled otherwise where the message has a member.
int rank_of_member(Says says, const json& value) {
  constexpr int kObject = 3;
  constexpr int kList = 4;
  if (says == Says::kField || says == Says::kPointer || says == Says::kSource) {
    return 0;
  }
  if (value.is_structured()) {
    return value.is_object() ? kObject : kList;
  }
  return says == Says::kMessage ? 1 : 2;
}

class Filler {
 public:
  Filler(json& body, const ErrorFacts& facts, const Fits& fits)
      : body_(body), facts_(facts), fits_(fits) {}

  bool fill() {
    if (body_.is_string()) {
      put_words(body_);
    } else if (body_.is_array()) {
      fill_list(body_, 0);
    } else if (body_.is_object() && !fill_map(body_, "", 0)) {
      fill_object(body_, {}, 0);
    }
    return has_whole_words_;
  }

 private:
  // False if nothing in it is known.
  bool fill_object(json& object, ErrorScope scope, int depth) {
    std::vector<std::pair<int, std::string>> members;
    for (const auto& [name, value] : object.items()) {
      const std::string plain = spec::text::plain_name(name);
      members.emplace_back(rank_of_member(said_by(plain, scope.is_element), value), name);
      scope.has_title = scope.has_title || (plain == "title" && value.is_string());
      scope.has_description = scope.has_description || plain == "errordescription";
    }
    std::ranges::sort(members);
    bool is_known = false;
    for (const auto& [rank, name] : members) {
      at_.push_back(name);
      if (fill_member(object[name], spec::text::plain_name(name), scope, depth)) {
        is_known = true;
      } else if (facts_.is_generated) {
        leave_out(object, name);
      }
      at_.pop_back();
    }
    return is_known;
  }

  bool fill_member(json& member, const std::string& plain, ErrorScope& scope, int depth) {
    const Says says = said_by(plain, scope.is_element);
    if (says == Says::kField || says == Says::kPointer || says == Says::kSource) {
      return fill_place(member, says, scope);
    }
    if (!member.is_structured()) {
      return member.is_string() ? fill_text(member, plain, says, scope)
                                : fill_scalar(member, plain, says, scope);
    }
    const bool is_done = !facts_.is_generated && has_words_ && facts_.details.empty();
    if (depth >= kMaxDepth || is_done) {
      return true;
    }
    if (member.is_array()) {
      return fill_list(member, depth + 1);
    }
    return is_map(member, plain) ? fill_map(member, plain, depth + 1)
                                 : fill_object(member, {}, depth + 1);
  }

  bool fill_scalar(json& place, const std::string& plain, Says says, const ErrorScope& scope) {
    if (!facts_.is_generated) {
      return is_number(place) && plain == "status" && put(place, facts_.status);
    }
    if (place.is_boolean()) {
      const bool is_success = has_word(kSuccesses, plain);
      return (is_success || has_word(kFailures, plain)) && put(place, !is_success);
    }
    const bool is_code = says == Says::kStatus || says == Says::kCode;
    if (is_number(place) && says == Says::kTime) {
      constexpr std::int64_t kFirstMilliseconds = 100'000'000'000;
      const bool is_fine = place > kFirstMilliseconds;
      return put(place, is_fine ? facts_.seconds * 1000 : facts_.seconds);
    }
    return is_number(place) && is_code && (put(place, facts_.status) || scope.is_element);
  }

  bool fill_text(json& place, const std::string& plain, Says says, ErrorScope& scope) {
    if (says == Says::kTitle && plain == "error" && scope.has_description) {
      says = Says::kCode;
    }
    switch (says) {
      case Says::kMessage: return fill_message(place, scope);
      case Says::kTitle: return fill_title(place, scope);
      case Says::kCode: return fill_code(place, plain, scope);
      case Says::kStatus:
        return facts_.is_generated &&
               (put(place, std::to_string(facts_.status)) || choose(place, status_words()));
      case Says::kTime: return facts_.is_generated && put_time(place);
      case Says::kPath:
        return facts_.is_generated && !facts_.path.empty() && put(place, std::string(facts_.path));
      case Says::kPart: return scope.detail != nullptr && put(place, scope.detail->part);
      default: return says == Says::kIdentifier;
    }
  }

  bool fill_message(json& place, ErrorScope& scope) {
    if (scope.has_words && !facts_.is_generated) {
      return true;
    }
    const std::string words = scope.detail == nullptr ? std::string(facts_.words)
                              : scope.has_place       ? scope.detail->words
                                                      : line_of(*scope.detail);
    const bool is_whole = put(place, words);
    const bool is_put = is_whole || put_cut(place, words);
    has_words_ |= is_put;
    has_whole_words_ |= is_whole;
    scope.has_words |= is_put;
    return is_put || (facts_.is_generated && choose(place, status_words()));
  }

  bool fill_title(json& place, ErrorScope& scope) {
    if (scope.detail == nullptr && !scope.has_words) {
      return fill_message(place, scope);
    }
    return facts_.is_generated &&
           (put(place, std::string(spec::http::reason_phrase(facts_.status))) ||
            choose(place, status_words()));
  }

  // Source of "about:blank": RFC 9457 §3.1.1 and §4.2.1.
  bool fill_code(json& place, const std::string& plain, const ErrorScope& scope) {
    if (scope.detail != nullptr) {
      return facts_.is_generated &&
             (put(place, scope.detail->rule) || choose(place, rule_words(scope.detail->rule)));
    }
    const std::string words = words_of_status(scope.has_description && facts_.status == 422
                                                  ? 400  // the usual one of OAuth
                                                  : facts_.status);
    if (!has_word("type kind error", plain) && (plain == "code" || facts_.is_generated)) {
      return put(place, std::string(facts_.code)) || (facts_.is_generated && choose(place, words));
    }
    if (!facts_.is_generated) {
      return false;
    }
    if (at_.back() == "@type") {  // AIP-193
      return put(place, "type.googleapis.com/google.rpc.BadRequest");
    }
    const std::string first = words.substr(0, words.find(' '));
    const bool is_blank = plain == "type" && scope.has_title;
    return put(place, is_blank ? std::string("about:blank") : first) || choose(place, words);
  }

  // A member that says where: a field, a pointer, the tokens of one, or the `source` of JSON:API.
  bool fill_place(json& place, Says says, ErrorScope& scope) {
    const bool is_known =
        scope.detail != nullptr || (facts_.is_generated && !facts_.details.empty());
    if (!is_known) {
      return false;
    }
    const ErrorDetail& detail = scope.detail != nullptr ? *scope.detail : facts_.details.front();
    bool is_put = false;
    if (says == Says::kSource && place.is_object()) {
      is_put = fill_source(place, detail);
    } else if (place.is_array() && says == Says::kPointer) {
      is_put = put(place, tokens_of(detail));
    } else if (place.is_string()) {
      is_put = put(place, says == Says::kField ? field_of(detail) : detail.pointer);
    }
    scope.has_place = scope.has_place || is_put;
    return is_put;
  }

  bool fill_source(json& source, const ErrorDetail& detail) {
    const bool is_of_body = detail.part == "body";
    const char* const name = is_of_body                ? "pointer"
                             : detail.part == "header" ? "header"
                                                       : "parameter";
    const json only{{name, is_of_body ? detail.pointer : field_of(detail)}};
    return put(source, only);
  }

  // An object of fields, which the schema does not name, or of their lists of texts.
  bool is_map(const json& object, const std::string& plain) const {
    const auto is_list = [](const json& one) {
      return one.is_array() && (one.empty() || one.front().is_string());
    };
    return (facts_.is_generated || !facts_.details.empty()) && has_word(kMaps, plain) &&
           (listed().empty() || std::ranges::all_of(object, is_list));
  }

  bool fill_map(json& map, const std::string& plain, int depth) {
    const bool is_of_texts = !map.empty() && std::ranges::all_of(map, &json::is_string);
    const bool is_of_lists = !map.empty() && std::ranges::all_of(map, &json::is_array);
    const json first = first_of(map);
    const bool is_root = plain.empty();
    if (facts_.details.empty() ||
        (is_root && !(facts_.is_generated && facts_.listed && listed().empty())) ||
        (!is_of_texts && !is_of_lists && !first.is_object())) {
      return false;
    }
    json filled = json::object();
    for (const ErrorDetail& detail : facts_.details) {
      json& field = filled[field_of(detail)];
      if (first.is_object()) {
        field = is_of_lists ? json::array({first}) : first;
        continue;
      }
      if (is_of_lists) {
        field.push_back(detail.words);
      } else {
        field = field.is_null() ? detail.words : field.get<std::string>() + "; " + detail.words;
      }
    }
    const bool is_put = put(map, std::move(filled));
    for (const ErrorDetail& detail : facts_.details) {
      if (is_put && first.is_object()) {
        json& field = map[field_of(detail)];
        at_.push_back(field_of(detail));
        fill_object(is_of_lists ? field.front() : field,
                    {.detail = &detail, .is_element = true, .has_place = true}, depth + 1);
        at_.pop_back();
      }
    }
    has_words_ |= is_put;
    has_whole_words_ |= is_put;
    return is_put;
  }

  // Of an object its first value, and of a list in there the first element; null if there is none.
  static json first_of(const json& map) {
    const json value = map.empty() ? json() : map.front();
    return value.is_array() && !value.empty() ? value.front() : value;
  }

  // One element for each detail: a text, or an object with a field and a message.
  bool fill_list(json& list, int depth) {
    constexpr std::size_t kMaxDetails = 10;
    if (list.empty() || (!list.front().is_string() && !list.front().is_object())) {
      return !facts_.is_generated;
    }
    json one = list.front();
    const bool is_of_details = is_detail(one);
    if (!is_of_details && facts_.is_generated) {
      add_field_violations(one);
    }
    if (facts_.details.empty() || !is_of_details) {
      return fill_single(list, one, is_of_details || has_list(one), depth);
    }
    const std::size_t count = std::min(facts_.details.size(), kMaxDetails);
    if (!put(list, json(count, one))) {
      put(list, json::array({one}));  // else as many as there are
    }
    const bool was_whole = std::exchange(has_whole_words_, false);
    bool is_whole = list.size() >= facts_.details.size();
    for (std::size_t at = 0; at < list.size(); ++at) {
      has_whole_words_ = false;
      fill_element(list, at, &facts_.details[std::min(at, facts_.details.size() - 1)], depth);
      is_whole = is_whole && has_whole_words_;
    }
    has_words_ = true;
    has_whole_words_ = was_whole || is_whole;
    return true;
  }

  // Source: google.rpc.BadRequest. Generated examples do not always go so deep.
  void add_field_violations(json& element) {
    at_.emplace_back("0");
    for (const std::string& name : listed()) {
      if (spec::text::plain_name(name) == "fieldviolations") {
        element[name] = json::array({{{"field", ""}, {"description", ""}}});
      }
    }
    at_.pop_back();
  }

  // One element with the message, where no other member has it, or with a list of its own.
  bool fill_single(json& list, const json& one, bool is_known, int depth) {
    const bool is_inside = has_list(one) && !facts_.details.empty();
    const bool is_needed = !has_words_ || is_inside || !facts_.is_generated;
    if (!is_known || !is_needed) {
      return !facts_.is_generated;
    }
    put(list, json::array({one}));
    return fill_element(list, 0, nullptr, depth) || !facts_.is_generated;
  }

  bool fill_element(json& list, std::size_t index, const ErrorDetail* detail, int depth) {
    json& element = list[index];
    at_.push_back(std::to_string(index));
    bool is_known = false;
    if (element.is_object()) {
      is_known = fill_object(element, {.detail = detail, .is_element = true}, depth + 1);
    } else if (element.is_string() && detail == nullptr) {
      is_known = put_words(element);
    } else if (element.is_string()) {
      has_whole_words_ = is_known = put(element, line_of(*detail));
    }
    at_.pop_back();
    return is_known;
  }

  static bool is_detail(const json& one) {
    const auto is_said = [&](const auto& member) {
      const Says says = said_by(spec::text::plain_name(member.key()), true);
      return says == Says::kMessage || says == Says::kField || says == Says::kPointer ||
             says == Says::kSource;
    };
    const auto members = one.items();
    return one.is_string() || std::any_of(members.begin(), members.end(), is_said);
  }

  static bool has_list(const json& one) {
    return one.is_object() && std::ranges::any_of(one, [](const json& member) {
             return member.is_array() && !member.empty() && is_detail(member.front());
           });
  }

  // Leaves out what nothing is known of; what the schema requires is empty where it may be.
  void leave_out(json& object, const std::string& name) {
    const json before = object[name];
    object.erase(name);
    if (fits_(body_)) {
      return;
    }
    object[name] = before;
    json& member = object[name];
    const Says says = said_by(spec::text::plain_name(name), true);
    const bool is_place = says == Says::kField || says == Says::kPointer;
    if (put(member, nullptr)) {
      return;
    }
    if (member.is_array() && !put(member, json::array()) && !member.empty()) {
      put(member, json::array({before.front()}));
      fill_element(member, 0, nullptr, kMaxDepth - 1);
    } else if (member.is_object()) {
      put(member, json::object());
    } else if (member.is_string() && is_place) {
      put(member, "");
    }
  }

  bool put_time(json& place) {
    constexpr std::size_t kDateSize = 10;
    return put(place, facts_.now) || put(place, facts_.now.substr(0, kDateSize));
  }

  bool put_words(json& place) {
    ErrorScope scope;
    return fill_message(place, scope);
  }

  // The message, where the schema allows only a shorter one.
  bool put_cut(json& place, std::string_view words) {
    constexpr std::array<std::size_t, 9> kLengths{500, 255, 200, 120, 100, 80, 64, 50, 40};
    return std::ranges::any_of(kLengths, [&](std::size_t length) {
      return length < words.size() &&
             put(place, std::string(spec::text::utf8_start(words, length)));
    });
  }

  // What the schema lists at this place: the values of an enum, or the members of an object.
  std::vector<std::string> listed() const {
    return facts_.listed ? facts_.listed(at_) : std::vector<std::string>{};
  }

  std::string status_words() const { return words_of_status(facts_.status); }

  // The listed value that fits the words best: the same as one, else with one in it, else any.
  bool choose(json& place, std::string_view words) {
    const auto all = listed();
    const std::string* const best = best_of(all, words);
    return best != nullptr && put(place, *best);
  }

  // `place` is inside the body. False, and nothing changed, if the body would not be valid then.
  bool put(json& place, json value) {
    std::swap(place, value);
    if (place == value || fits_(body_)) {
      return true;
    }
    std::swap(place, value);
    return false;
  }

  json& body_;
  const ErrorFacts& facts_;
  const Fits& fits_;
  std::vector<std::string> at_;
  bool has_words_ = false;
  bool has_whole_words_ = false;
};

}  // namespace

bool fill_error_body(json& body, const ErrorFacts& facts, const Fits& fits) {
  return Filler(body, facts, fits).fill();
}

}  // namespace mock_server::service::checks
