#include "mock_server/record/call_verdict.hpp"

#include "mock_server/upstream/proxy_fields.hpp"
#include "spec/contract/checking/message_body.hpp"
#include "spec/http/header_field.hpp"
#include "spec/http/items.hpp"
#include "spec/http/media_type.hpp"
#include "spec/json/pointer.hpp"
#include "spec/json/value.hpp"
#include "spec/text/utf8.hpp"

#include <algorithm>

namespace mock_server::record {

namespace {

using nlohmann::json;
using spec::contract::Contract;
using spec::contract::Operation;
using spec::contract::RequestReading;
using spec::contract::Violation;

std::vector<Violation> violations_of(const Contract& contract, const Operation& operation,
                                     const spec::har::Call& call) {
  if (upstream::is_unchanged_or_part(call.response->status, call.request.headers)) {
    return {};
  }
  spec::http::Response response = *call.response;
  response.headers = without_transfer(response.headers);
  return spec::contract::validate_response(
      contract, operation, response,
      {.head = call.request.method == "HEAD", .goes_on = !call.item_times.empty()});
}

RequestReading read_request(const Contract& contract, const Operation& operation,
                            spec::http::Request request) {
  const auto match = contract.route(request.method, spec::http::path_of(request.target));
  request.headers = without_transfer(request.headers);
  return spec::contract::validate_request(contract, operation, request, match.path_values);
}

void add_differences(std::string_view part, const json& before, const json& after,
                     std::vector<std::string>& places) {
  for (const auto& [name, value] : before.items()) {
    const auto other = after.find(name);
    if (other == after.end() || !spec::json::equal(value, *other)) {
      places.push_back("/" + std::string(part));
      spec::json::append_token(places.back(), name);
    }
  }
}

std::vector<std::string> places_that_differ(const RequestReading& before,
                                            const RequestReading& after) {
  std::vector<std::string> places;
  add_differences("path", before.path, after.path, places);
  add_differences("query", before.query, after.query, places);
  if (before.body && after.body && before.body->is_object() && after.body->is_object()) {
    add_differences("body", *before.body, *after.body, places);
  }
  return places;
}

bool is_certain(const Violation& violation) {
  return !violation.undecided && !violation.not_understood;
}

// Messages quote values, so the findings are those of the redacted response; what only the secret
// itself violated is named without its message.
std::vector<std::string> findings_of(const Contract& contract, const Redactor& redactor,
                                     const std::vector<Violation>& before,
                                     const std::vector<Violation>& after) {
  std::vector<std::string> lines;
  for (Violation one : before) {
    const auto same = std::ranges::find_if(after, [&one](const Violation& other) {
      return other.instance == one.instance && other.rule == one.rule;
    });
    one.message = same == after.end() ? "the value is redacted" : same->message;
    lines.push_back(redactor.text(spec::contract::to_line(contract, one)));
  }
  return lines;
}

}  // namespace

std::string_view to_text(Verdict verdict) {
  switch (verdict) {
    case Verdict::kValid: return "valid";
    case Verdict::kViolating: return "violating";
    case Verdict::kUndecided: return "undecided";
  }
  return "";
}

const Operation* operation_of(const Contract& contract, const spec::http::Request& request) {
  const auto match = contract.route(request.method, spec::http::path_of(request.target));
  return match.kind == spec::contract::Match::Kind::kFound ? match.operation : nullptr;
}

spec::Result<ValidatedCall, std::string> validate_call(
    const Contract& contract, Redactor& redactor, const spec::har::Call& call,
    const std::optional<std::vector<std::string>>& redacted_places) {
  ValidatedCall validated;
  validated.operation = operation_of(contract, call.request);
  std::vector<Violation> before;
  if (validated.operation != nullptr && call.response && call.has_response_body) {
    before = violations_of(contract, *validated.operation, call);
  }
  auto redacted = redacted_places ? spec::Result<spec::har::Call, std::string>(call)
                                  : redactor.redact(call, validated.operation);
  if (!redacted) {
    return spec::Unexpected{redacted.error()};
  }
  validated.call = std::move(*redacted);
  if (validated.operation == nullptr) {
    validated.findings.emplace_back("the contract has no such operation");
    return validated;
  }
  validated.reading = read_request(contract, *validated.operation, validated.call.request);
  validated.redacted =
      redacted_places
          ? *redacted_places
          : places_that_differ(read_request(contract, *validated.operation, call.request),
                               validated.reading);
  if (!call.response || !call.has_response_body) {
    validated.findings.emplace_back(call.response
                                        ? "the body of the response is not in the recording"
                                        : "there was no response");
    return validated;
  }
  validated.findings = findings_of(contract, redactor, before,
                                   violations_of(contract, *validated.operation, validated.call));
  validated.verdict = before.empty()                            ? Verdict::kValid
                      : std::ranges::any_of(before, is_certain) ? Verdict::kViolating
                                                                : Verdict::kUndecided;
  return validated;
}

BodyForm form_of(const spec::http::Headers& headers, std::string_view body) {
  if (body.empty()) {
    return BodyForm::kNone;
  }
  const auto type = spec::http::parse_media_type(headers.find("Content-Type").value_or(""));
  const std::size_t first = body.find_first_not_of(" \t\r\n");
  const bool looks_like_json =
      !type && first != std::string_view::npos && (body[first] == '{' || body[first] == '[');
  if (looks_like_json || (type && type->is_json())) {
    return BodyForm::kJson;
  }
  if (!spec::text::is_utf8(body)) {
    return BodyForm::kBytes;
  }
  if (type && spec::http::item_form(*type)) {
    return BodyForm::kItems;
  }
  if (type && type->essence() == "application/x-www-form-urlencoded") {
    return BodyForm::kForm;
  }
  const bool is_text = !type || type->type == "text" || type->subtype.ends_with("xml") ||
                       type->subtype == "javascript";
  return is_text ? BodyForm::kText : BodyForm::kBytes;
}

std::optional<spec::schema::SchemaId> request_schema(const spec::contract::Operation* operation,
                                                     const spec::http::Request& request) {
  const auto type = spec::http::parse_media_type(
      request.headers.find("Content-Type").value_or("application/json"));
  if (operation == nullptr || !operation->body || !type) {
    return std::nullopt;
  }
  const auto& contents = operation->body->contents;
  const auto* const content = spec::contract::checking::select_content(contents, *type);
  return content != nullptr ? content->schema : std::nullopt;
}

const spec::contract::MediaTypeObject* items_content(const Operation* operation,
                                                     const spec::http::Response& response) {
  const auto* const declared =
      operation == nullptr ? nullptr : operation->response(response.status);
  return declared == nullptr
             ? nullptr
             : spec::contract::checking::select_content(declared->contents, response.headers);
}

spec::http::Headers without_transfer(const spec::http::Headers& headers) {
  spec::http::Headers kept;
  for (const auto& [name, value] : headers.lines()) {
    if (!spec::http::is_of_transfer(name)) {
      kept.add(name, value);
    }
  }
  return kept;
}

}  // namespace mock_server::record
