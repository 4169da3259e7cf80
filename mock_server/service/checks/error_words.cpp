#include "mock_server/service/checks/error_words.hpp"

#include "spec/text/names.hpp"

#include <algorithm>
#include <array>
#include <sstream>

namespace mock_server::service::checks {
namespace {

struct NamesRow {
  Says says;
  std::string_view names;
  std::string_view of_elements;  // only there
};

constexpr std::array kErrorNames{
    NamesRow{Says::kMessage,
             "message msg detail description reason errormessage text defaultmessage usermessage "
             "errortext errordescription issue problem explanation developermessage longmessage "
             "details",
             ""},
    NamesRow{Says::kTitle, "title error shortmessage summary", ""},
    NamesRow{Says::kStatus, "status statuscode httpstatus httpstatuscode httpcode", ""},
    NamesRow{Says::kCode, "code errorcode rule keyword type kind constraint errortype", ""},
    NamesRow{Says::kField, "field property param parameter attribute fieldname propertyname",
             "name key target"},
    NamesRow{Says::kPointer, "pointer jsonpointer", "path location instancepath loc propertypath"},
    NamesRow{Says::kPart, "", "in"},
    NamesRow{Says::kSource, "source", ""},
    NamesRow{Says::kPath, "path instance requestpath", ""},
    NamesRow{Says::kTime, "timestamp time datetime date occurredat", ""},
    NamesRow{Says::kIdentifier,
             "requestid traceid correlationid transactionid logid errorid incidentid", ""},
};

struct StatusRow {
  int status;
  std::string_view words;
};

constexpr std::array kStatusWords{
    StatusRow{400,
              "invalid_request bad_request validation_error invalid_argument validation_failed "
              "validation invalid_parameter invalid_input invalid_params invalid malformed "
              "client_error"},
    StatusRow{401,
              "unauthorized unauthenticated authentication_required authentication_error "
              "invalid_token not_authenticated authentication invalid_client auth"},
    StatusRow{402, "payment_required card_error insufficient_funds payment"},
    StatusRow{403,
              "forbidden permission_denied access_denied insufficient_permissions "
              "permission_error insufficient_scope not_allowed permission authorization"},
    StatusRow{404, "not_found resource_missing resource_not_found no_such"},
    StatusRow{405, "method_not_allowed not_allowed"},
    StatusRow{406, "not_acceptable"},
    StatusRow{409, "conflict already_exists duplicate exists aborted"},
    StatusRow{410, "gone not_found"},
    StatusRow{412, "precondition_failed failed_precondition"},
    StatusRow{413, "payload_too_large too_large"},
    StatusRow{415, "unsupported_media_type unsupported"},
    StatusRow{422,
              "validation_error validation_failed unprocessable_entity unprocessable_content "
              "unprocessable validation invalid_request invalid_argument invalid_parameter "
              "invalid_input invalid_params invalid bad_request"},
    StatusRow{429,
              "rate_limited rate_limit_exceeded too_many_requests rate_limit resource_exhausted "
              "throttled quota"},
    StatusRow{500,
              "internal internal_error internal_server_error server_error api_error internal "
              "server"},
    StatusRow{501, "not_implemented unimplemented unsupported"},
    StatusRow{503, "service_unavailable unavailable overloaded"},
};

constexpr std::string_view kAnyOfClient = "invalid_request bad_request client_error fail error";
constexpr std::string_view kAnyOfServer = "internal server_error api_error error fail";

struct RuleRow {
  std::string_view rule;
  std::string_view words;
};

constexpr std::string_view kAnyRule = "invalid invalid_value invalid_field validation";
constexpr std::array kRuleWords{
    RuleRow{"required", "required missing missing_field blank presence"},
    RuleRow{"minLength", "too_short too_small length min"},
    RuleRow{"maxLength", "too_long too_big length max"},
    RuleRow{"minimum", "too_small out_of_range min range"},
    RuleRow{"maximum", "too_big too_large out_of_range max range"},
    RuleRow{"format", "invalid_format format invalid_string"},
    RuleRow{"pattern", "invalid_format format pattern invalid_string"},
    RuleRow{"type", "invalid_type type type_error"},
    RuleRow{"enum", "invalid_enum not_in_list inclusion not_allowed invalid_enum_value"},
    RuleRow{"additionalProperties", "unknown unknown_field unrecognized_keys unexpected"},
};

std::vector<std::string> plain_words(std::string_view list) {
  std::istringstream in{std::string(list)};
  std::vector<std::string> words;
  for (std::string word; in >> word;) {
    words.push_back(spec::text::plain_name(word));
  }
  return words;
}

}  // namespace

bool has_word(std::string_view list, std::string_view word) {
  const auto words = plain_words(list);
  return std::ranges::find(words, word) != words.end();
}

Says said_by(std::string_view plain_name, bool is_element) {
  const auto is_of = [&](const NamesRow& row) {
    return has_word(row.names, plain_name) || (is_element && has_word(row.of_elements, plain_name));
  };
  const auto* const own = std::ranges::find_if(kErrorNames, is_of);
  return own == kErrorNames.end() ? Says::kNothing : own->says;
}

std::string words_of_status(int status) {
  constexpr int kFirstOfServer = 500;
  const std::string any(status < kFirstOfServer ? kAnyOfClient : kAnyOfServer);
  const auto* const row = std::ranges::find(kStatusWords, status, &StatusRow::status);
  return row != kStatusWords.end() ? std::string(row->words) + ' ' + any : any;
}

std::string_view rule_words(std::string_view rule) {
  const auto* const row = std::ranges::find(kRuleWords, rule, &RuleRow::rule);
  return row != kRuleWords.end() ? row->words : kAnyRule;
}

const std::string* best_of(const std::vector<std::string>& values, std::string_view words) {
  const auto all = plain_words(words);
  for (const bool is_whole : {true, false}) {
    for (const std::string& word : all) {
      const auto found = std::ranges::find_if(values, [&](const std::string& value) {
        const std::string plain = spec::text::plain_name(value);
        return is_whole ? plain == word : plain.find(word) != std::string::npos;
      });
      if (found != values.end()) {
        return &*found;
      }
    }
  }
  return values.empty() ? nullptr : &values.front();
}

}  // namespace mock_server::service::checks
