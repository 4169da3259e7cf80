#include "mock_server/service/checks/error_body.hpp"

#include "spec/http/message.hpp"
#include "spec/json/number.hpp"
#include "spec/text/utf8.hpp"

#include <nlohmann/json.hpp>

#include <array>
#include <string>
#include <utility>

namespace mock_server::service::checks {
namespace {

using nlohmann::json;
using spec::json::is_number;

constexpr int kMaxDepth = 8;

class Filler {
 public:
  Filler(json& body, const ErrorFacts& facts, const Fits& fits)
      : body_(body), facts_(facts), fits_(fits) {}

  bool fill() {
    visit(body_, 0);
    return has_whole_words_;
  }

 private:
  // The message goes into the outermost object with a member for it.
  void visit(json& node, int depth) {
    if (node.is_string()) {
      put_words(node);
      return;
    }
    if (node.is_object()) {
      fill_object(node);
    } else if (node.is_array() && node.size() > 1) {
      put(node, json::array({node.front()}));  // there is one error
    }
    if (node.is_structured() && !has_words_ && depth < kMaxDepth) {
      for (json& member : node) {
        if (member.is_structured() || node.is_array()) {
          visit(member, depth + 1);
        }
      }
    }
  }

  void fill_object(json& object) {
    fill_status(object);
    bool has_words = false;
    for (const char* const name : {"message", "detail"}) {
      if (json* const place = text_in(object, name);
          place != nullptr && (!has_words || facts_.is_generated)) {
        has_words = put_words(*place) || has_words;
      }
    }
    for (const char* const name : {"title", "error"}) {
      if (json* const place = text_in(object, name)) {
        if (!has_words) {
          has_words = put_words(*place);
        } else if (facts_.is_generated) {
          put(*place, std::string(spec::http::reason_phrase(facts_.status)));
        }
      }
    }
  }

  void fill_status(json& object) {
    if (const auto status = object.find("status"); status != object.end()) {
      if (is_number(*status)) {
        put(*status, facts_.status);
      } else if (status->is_string() && facts_.is_generated) {
        put(*status, std::to_string(facts_.status));
      }
    }
    if (json* const code = text_in(object, "code")) {
      put(*code, std::string(facts_.code));
    } else if (const auto number = object.find("code");
               number != object.end() && is_number(*number) && facts_.is_generated) {
      put(*number, facts_.status);
    }
  }

  static json* text_in(json& object, const char* name) {
    const auto member = object.find(name);
    return member != object.end() && member->is_string() ? &*member : nullptr;
  }

  // The message, cut if the schema allows only a shorter one.
  bool put_words(json& place) {
    constexpr std::array<std::size_t, 9> kLengths{500, 255, 200, 120, 100, 80, 64, 50, 40};
    if (put(place, std::string(facts_.words))) {
      has_words_ = has_whole_words_ = true;
      return true;
    }
    for (const std::size_t length : kLengths) {
      if (length < facts_.words.size() &&
          put(place, std::string(spec::text::utf8_start(facts_.words, length)))) {
        has_words_ = true;
        return true;
      }
    }
    return false;
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
  bool has_words_ = false;
  bool has_whole_words_ = false;
};

}  // namespace

bool fill_error_body(json& body, const ErrorFacts& facts, const Fits& fits) {
  return Filler(body, facts, fits).fill();
}

}  // namespace mock_server::service::checks
