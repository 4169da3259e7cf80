#include "mock_server/service/checks/error_body.hpp"

#include "spec/http/message.hpp"
#include "spec/json/number.hpp"
#include "spec/text/names.hpp"
#include "spec/text/utf8.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <span>
#include <string>
#include <utility>

namespace mock_server::service::checks {

namespace {

using nlohmann::json;
using spec::json::is_number;

constexpr int kMaxDepth = 8;

// Names of members, in lower case, letters and digits alone.
constexpr std::string_view kFieldNames[] = {"field",        "property",  "param", "parameter",
                                            "name",         "attribute", "key",   "fieldname",
                                            "propertyname", "target"};
constexpr std::string_view kPointerNames[] = {
    "pointer", "path", "location", "instancepath", "loc", "jsonpointer", "propertypath"};
constexpr std::string_view kMessageNames[] = {
    "message", "msg", "detail", "description", "reason", "errormessage", "text", "defaultmessage"};
constexpr std::string_view kRuleNames[] = {"code", "errorcode", "rule",       "keyword",
                                           "type", "kind",      "constraint", "errortype"};
constexpr std::string_view kKnownNames[] = {"status", "statuscode", "title",   "error",
                                            "source", "in",         "success", "errors"};

class Filler {
 public:
  Filler(json& body, const ErrorFacts& facts, const Fits& fits)
      : body_(body), facts_(facts), fits_(fits) {}

  bool fill() {
    visit(body_, 0);
    if (facts_.is_generated && body_.is_object()) {
      keep_known(body_);
    }
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
    } else if (node.is_array() && !node.empty() && !facts_.details.empty()) {
      return fill_list(node);
    } else if (node.is_array() && node.size() > 1) {
      put(node, json::array({node.front()}));  // there is one error
    }
    const bool goes_on = !has_words_ || !facts_.details.empty();
    if (node.is_structured() && goes_on && depth < kMaxDepth) {
      for (json& member : node) {
        if (member.is_structured() || node.is_array()) {
          visit(member, depth + 1);
        }
      }
    }
  }

  void fill_object(json& object) {
    fill_status(object);
    fill_type(object);
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

  // One element for each detail: a text, or an object with a field and a message.
  void fill_list(json& list) {
    constexpr std::size_t kMaxDetails = 10;
    const json one = list.front();
    if (!one.is_string() && !one.is_object()) {
      return;
    }
    const std::size_t count = std::min(facts_.details.size(), kMaxDetails);
    if (!put(list, json(count, one))) {
      put(list, json::array({one}));  // else as many as there are
    }
    bool is_whole = list.size() >= facts_.details.size();
    for (std::size_t at = 0; at < list.size(); ++at) {
      const std::size_t nearest = std::min(at, facts_.details.size() - 1);
      is_whole = fill_detail(list[at], facts_.details[nearest]) && is_whole;
    }
    has_words_ = true;
    has_whole_words_ |= is_whole;
  }

  // True if the place of the detail and its message are in it.
  bool fill_detail(json& item, const ErrorDetail& detail) {
    const std::string line = detail.part + detail.pointer + ": " + detail.words;
    if (item.is_string()) {
      return put(item, line);
    }
    bool has_place = false;
    const json before = item;
    for (const auto& [name, value] : before.items()) {
      has_place = fill_place(item[name], spec::text::plain_name(name), detail) || has_place;
    }
    bool has_message = false;
    for (const auto& [name, value] : before.items()) {
      const std::string plain = spec::text::plain_name(name);
      if (is_one_of(plain, kMessageNames) && value.is_string()) {
        has_message = put(item[name], has_place ? detail.words : line) || has_message;
      } else if (facts_.is_generated && is_one_of(plain, kRuleNames)) {
        put(item[name], is_number(value) ? json(facts_.status) : json(detail.rule));
      } else if (facts_.is_generated && plain == "status") {
        put(item[name],
            value.is_string() ? json(std::to_string(facts_.status)) : json(facts_.status));
      } else if (facts_.is_generated && plain == "title") {
        put(item[name], std::string(spec::http::reason_phrase(facts_.status)));
      }
    }
    if (facts_.is_generated) {
      keep_known(item);
    }
    return has_place && has_message;
  }

  // A member that says where: a field, a pointer, the tokens of one, or the `source` of JSON:API.
  bool fill_place(json& place, const std::string& plain, const ErrorDetail& detail) {
    if (place.is_object() && plain == "source") {
      return fill_source(place, detail);
    }
    std::string field = detail.pointer.empty() ? detail.part : detail.pointer.substr(1);
    if (place.is_array() && is_one_of(plain, kPointerNames)) {
      json tokens = json::array({detail.part});
      for (std::size_t at = 0; at <= field.size() && !detail.pointer.empty();) {
        const std::size_t end = std::min(field.find('/', at), field.size());
        tokens.push_back(field.substr(at, end - at));
        at = end + 1;
      }
      return put(place, std::move(tokens));
    }
    if (!place.is_string()) {
      return false;
    }
    if (is_one_of(plain, kFieldNames)) {
      std::ranges::replace(field, '/', '.');
      return put(place, field);
    }
    if (plain == "in") {
      put(place, detail.part);
    }
    return is_one_of(plain, kPointerNames) && put(place, detail.pointer);
  }

  bool fill_source(json& source, const ErrorDetail& detail) {
    const bool is_of_body = detail.part == "body";
    const char* const name = is_of_body                ? "pointer"
                             : detail.part == "header" ? "header"
                                                       : "parameter";
    const json only{{name, is_of_body ? detail.pointer : detail.pointer.substr(1)}};
    return put(source, only);
  }

  // Leaves out what nothing is known of, where the schema allows that.
  void keep_known(json& object) {
    const json before = object;
    for (const auto& [name, value] : before.items()) {
      const std::string plain = spec::text::plain_name(name);
      const bool is_list = value.is_array() && facts_.details.empty();
      const bool is_known = is_one_of(plain, kKnownNames) || is_one_of(plain, kMessageNames) ||
                            is_one_of(plain, kRuleNames) ||
                            (!facts_.details.empty() &&
                             (is_one_of(plain, kFieldNames) || is_one_of(plain, kPointerNames)));
      if (is_list || (!is_known && !value.is_array())) {
        object.erase(name);
        if (!fits_(body_)) {
          object[name] = value;
        }
      }
    }
  }

  static bool is_one_of(std::string_view plain, std::span<const std::string_view> names) {
    return std::ranges::find(names, plain) != names.end();
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

  // Source: RFC 9457 §3.1.1 and §4.2.1.
  void fill_type(json& object) {
    json* const type = text_in(object, "type");
    if (type != nullptr && facts_.is_generated && text_in(object, "title") != nullptr) {
      put(*type, "about:blank");
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
