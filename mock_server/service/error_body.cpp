#include "mock_server/service/error_body.hpp"

#include "spec/http/message.hpp"
#include "spec/json/utf8.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <string>

namespace mock_server::service {
namespace {

using nlohmann::json;

// Names as `plain` writes them. The first that is there and takes them gets the words.
constexpr std::array<std::string_view, 8> kLong{"message",      "detail",     "errordescription",
                                                "errormessage", "msg",        "description",
                                                "details",      "faultstring"};
// Names of a few words: they get the words only where there is none of the above.
constexpr std::array<std::string_view, 5> kShort{"title", "error", "reason", "summary", "errors"};
constexpr std::array<std::string_view, 4> kStatus{"status", "statuscode", "httpstatus",
                                                  "httpstatuscode"};
// Members that hold further errors.
constexpr std::array<std::string_view, 12> kErrors{"error",    "errors",  "detail",     "details",
                                                   "fault",    "faults",  "issues",     "issue",
                                                   "problems", "problem", "violations", "messages"};

constexpr int kDeepest = 8;
constexpr int kLowestStatus = 100;
constexpr int kHighestStatus = 599;

char lower(char c) {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

// "error_description", "errorDescription" and "Error-Description" are one name.
std::string plain(std::string_view name) {
  std::string text;
  for (const char c : name) {
    if (c != '_' && c != '-') {
      text += lower(c);
    }
  }
  return text;
}

template <std::size_t kSize>
bool is_one_of(const std::array<std::string_view, kSize>& names, std::string_view name) {
  return std::ranges::find(names, name) != names.end();
}

std::string lower_case(std::string_view text) {
  std::string lowered(text);
  std::ranges::transform(lowered, lowered.begin(), lower);
  return lowered;
}

class Teller {
 public:
  Teller(json& body, const ErrorFacts& facts, const Fits& fits)
      : body_(body), facts_(facts), fits_(fits) {}

  bool tell() {
    visit(body_, {.only_errors = true});
    if (!said_) {
      visit(body_, {.only_errors = false});
    }
    return said_whole_;
  }

 private:
  struct Walk {
    bool only_errors = true;  // enter only members that hold errors
    int depth = 0;
  };

  void visit(json& node, Walk walk) {
    if (walk.depth > kDeepest) {
      return;
    }
    if (node.is_string()) {
      say(node);
    } else if (node.is_array()) {
      visit_list(node, walk);
    } else if (node.is_object()) {
      visit_object(node, walk);
    }
  }

  // One error is told: further ones would be made up.
  void visit_list(json& list, Walk walk) {
    if (list.size() > 1) {
      put(list, json::array({list.front()}));
    }
    ++walk.depth;
    for (json& each : list) {
      visit(each, walk);
    }
  }

  void visit_object(json& object, Walk walk) {
    ++walk.depth;
    for (auto& [name, value] : object.items()) {
      say_status(plain(name), value);
    }
    const bool said = say_at_length(object);
    for (auto& [name, value] : object.items()) {
      if (value.is_string() && is_one_of(kShort, plain(name))) {
        say_in_short(plain(name), value, said, object);
      }
    }
    name_problem(object);
    for (auto& [name, value] : object.items()) {
      if (value.is_structured() && (!walk.only_errors || is_one_of(kErrors, plain(name)))) {
        visit(value, walk);
      }
    }
  }

  bool say_at_length(json& object) {
    bool said = false;
    for (const std::string_view wanted : kLong) {
      for (auto& [name, value] : object.items()) {
        const bool is_place = value.is_string() && plain(name) == wanted;
        if (is_place && (!said || facts_.is_made_up)) {
          said = say(value) || said;
        }
      }
    }
    return said;
  }

  // Beside the words a title is the status's phrase, an OAuth error its code.
  void say_in_short(const std::string& name, json& value, bool said, const json& object) {
    if (!said) {
      say(value);
    } else if (facts_.is_made_up) {
      const bool is_oauth = name == "error" && object.contains("error_description");
      put(value, is_oauth ? lower_case(facts_.code)
                          : std::string(spec::http::reason_phrase(facts_.status)));
    }
  }

  void say_status(const std::string& name, json& value) {
    const bool is_text = value.is_string();
    const std::string digits = std::to_string(facts_.status);
    if (is_one_of(kStatus, name)) {
      const bool is_word =
          is_text && !facts_.is_made_up &&
          value.get_ref<const std::string&>().find_first_not_of("0123456789") != std::string::npos;
      if (value.is_number()) {
        put(value, facts_.status);
      } else if (is_text && !is_word) {
        put(value, digits);
      }
    } else if (name == "code" && is_text) {
      put(value, std::string(facts_.code));
    } else if (name == "code" && value.is_number_integer()) {
      // A service's own number in its own example says more.
      const bool is_status = value >= kLowestStatus && value <= kHighestStatus;
      if (facts_.is_made_up || is_status) {
        put(value, facts_.status);
      }
    }
  }

  // A made-up problem is about nothing in particular, and is one of this request.
  void name_problem(json& object) {
    if (!facts_.is_made_up || &object != &body_ || !object.contains("title")) {
      return;
    }
    for (const auto& [name, text] : {std::pair{"type", std::string("about:blank")},
                                     std::pair{"instance", std::string(facts_.path)}}) {
      if (const auto member = object.find(name); member != object.end() && member->is_string()) {
        put(*member, text);
      }
    }
  }

  // The words, cut where there is no room for all.
  bool say(json& place) {
    if (put(place, std::string(facts_.words))) {
      said_ = said_whole_ = true;
      return true;
    }
    for (std::size_t length : {500U, 255U, 200U, 120U, 100U, 80U, 64U, 50U, 40U}) {
      if (length < facts_.words.size() &&
          put(place, std::string(spec::json::utf8_start(facts_.words, length)))) {
        said_ = true;
        return true;
      }
    }
    return false;
  }

  // `place` is inside the body. False, and nothing changed, when the body then does not fit.
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
  bool said_ = false;
  bool said_whole_ = false;
};

}  // namespace

bool tell(json& body, const ErrorFacts& facts, const Fits& fits) {
  return Teller(body, facts, fits).tell();
}

}  // namespace mock_server::service
