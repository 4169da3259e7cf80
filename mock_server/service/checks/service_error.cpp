#include "mock_server/service/checks/service_error.hpp"

#include "mock_server/api/record_source.hpp"
#include "mock_server/examples/response_example.hpp"
#include "mock_server/reply/json_response.hpp"
#include "mock_server/service/checks/content_choice.hpp"
#include "mock_server/service/checks/error_body.hpp"
#include "mock_server/service/request/generation_options.hpp"
#include "mock_server/state/session_clock.hpp"
#include "spec/http/media_type.hpp"
#include "spec/http/message.hpp"
#include "spec/schema/applicable.hpp"
#include "spec/schema/constants.hpp"
#include "spec/schema/schema_summary.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <chrono>
#include <string>
#include <utility>
#include <vector>

namespace mock_server::service::checks {

namespace {

using api::ErrorKind;
using examples::generate_response_body;
using examples::write_response_body;
using request::GenerationOptions;
using spec::contract::MediaTypeObject;
using spec::contract::Part;
using spec::contract::Violation;

// `query/page_size: must be at most 100, but is 101; ...; and 2 more`: violations of one kind
// first, then all others.
std::string in_words(std::vector<Violation> violations, auto&& come_first) {
  std::stable_partition(violations.begin(), violations.end(), come_first);
  std::vector<std::string> lines;
  lines.reserve(violations.size());
  for (const Violation& violation : violations) {
    lines.push_back(in_short(violation));
  }
  return reply::first_of(lines);
}

bool is_parameter(const Violation& violation) {
  return violation.part == Part::kPath || violation.part == Part::kQuery ||
         violation.part == Part::kHeader || violation.part == Part::kCookie;
}

ErrorKind undecodable_in(Part part) {
  return part == Part::kPath     ? ErrorKind::kUndecodablePath
         : part == Part::kHeader ? ErrorKind::kUndecodableHeaders
         : part == Part::kCookie ? ErrorKind::kUndecodableCookies
                                 : ErrorKind::kUndecodableParameters;
}

bool satisfies_contract(const RequestContext& context, const spec::http::Response& response) {
  return spec::contract::validate_response(context.api.contract, *context.operation, response)
      .empty();
}

bool is_plain_text(const spec::http::MediaType& type) {
  return type.essence() == "text/plain";
}

// Order: JSON that can be filled, other types that can be filled, the rest.
int rank_of(const ContentChoice& choice) {
  const bool can_be_filled = !choice.content->examples.empty() || choice.content->schema;
  if (choice.sent_as.is_json() && can_be_filled) {
    return 0;
  }
  return can_be_filled || is_plain_text(choice.sent_as) ? 1 : 2;
}

// The content that Accept prefers; among equals, and if Accept takes none, the first by rank.
ContentChoice content_for(RequestContext& context, const spec::contract::Response& declared) {
  auto offered = offered_contents(context, declared);
  std::ranges::stable_sort(offered, {}, &rank_of);
  return accepted_content(context, offered).value_or(offered.front());
}

examples::ResponseContent to_send(const ContentChoice& choice) {
  return {*choice.content, choice.sent_as};
}

// The entry of `kind`; 400 becomes 422, or 422 becomes 400, if the operation declares only the
// other one.
api::ErrorEntry entry_for_invalid(const RequestContext& context, ErrorKind kind) {
  constexpr int kBadRequest = 400;
  constexpr int kUnprocessable = 422;
  api::ErrorEntry entry = context.errors()[kind];
  const int other = entry.status == kBadRequest      ? kUnprocessable
                    : entry.status == kUnprocessable ? kBadRequest
                                                     : entry.status;
  if (!context.operation->declares(entry.status) && context.operation->declares(other)) {
    entry.status = other;
  }
  return entry;
}

// Media types whose bodies can hold the message of an error. Not HTML: messages may quote the
// request.
bool can_hold_message(const spec::http::MediaType& type) {
  return type.is_json() || is_plain_text(type) || type.subtype == "xml" ||
         type.subtype.ends_with("+xml");
}

// The content's example, else a generated body, if it can hold the message; the second value says
// which.
std::pair<std::optional<nlohmann::json>, bool> value_of(RequestContext& context,
                                                        const ContentChoice& choice,
                                                        const GenerationOptions& generation) {
  const auto& content = *choice.content;
  const bool has_example = !content.examples.empty();
  if (has_example && !must_replace(context, to_send(choice), content.examples.front())) {
    return {*content.examples.front().value, false};
  }
  if (has_example) {
    warn_of_replaced(context, content.examples.front());
  }
  if (!can_hold_message(choice.sent_as)) {
    return {std::nullopt, true};
  }
  if (!content.schema) {
    return {is_plain_text(choice.sent_as) ? std::optional<nlohmann::json>("") : std::nullopt, true};
  }
  auto sample = context.lazy_generator.generator().generate(*content.schema, generation.options());
  return {sample ? std::optional(std::move(*sample)) : std::nullopt, true};
}

void note_kind(RequestContext& context, ErrorKind kind) {
  if (context.chosen_by.empty()) {
    context.chosen_by =
        "error " + std::string(api::error_kind_names()[static_cast<std::size_t>(kind)]);
  }
}

// What errors with a list of their own say of each violation.
std::vector<ErrorDetail> details_of(const std::vector<Violation>& violations) {
  std::vector<ErrorDetail> details;
  for (const Violation& each : violations) {
    const std::string& missing = each.message.property;
    const bool ends_there = missing.empty() || each.instance.ends_with('/' + missing);
    details.push_back({std::string(to_text(each.part)),
                       ends_there ? each.instance : each.instance + '/' + missing, each.rule,
                       each.message.text()});
  }
  return details;
}

// The values of an enum, or the members of an object, that the schema lists at the place.
std::vector<std::string> listed_at(const RequestContext& context, const MediaTypeObject& content,
                                   const std::vector<std::string>& at) {
  std::vector<std::string> listed;
  const auto schemas = content.schema ? api::schemas_at(context.api.contract, {*content.schema}, at)
                                      : spec::schema::Schemas{};
  if (schemas.empty()) {
    return listed;
  }
  const auto& summary = context.api.contract.summaries().summary_of(schemas);
  for (const auto& [name, member] :
       context.api.contract.possible_summaries().summary_of(schemas).properties) {
    listed.push_back(name);
  }
  for (const auto* const values : summary.listed) {
    for (const auto& value : values->values()) {
      listed.push_back(value.is_string() ? value.get<std::string>() : std::string());
    }
  }
  return listed;
}

// What is known of the error.
ErrorFacts facts_of(const RequestContext& context, const MediaTypeObject& content,
                    const api::ErrorEntry& entry, std::string_view message) {
  const auto now = context.session->now();
  return {
      .status = entry.status,
      .code = entry.code,
      .words = message,
      .details = details_of(context.violations),
      .path = context.path,
      .now = state::to_text(now),
      .seconds = std::chrono::duration_cast<std::chrono::seconds>(now.time_since_epoch()).count(),
      .listed = [&context, &content](const auto& at) { return listed_at(context, content, at); }};
}

struct DeclaredError {
  spec::http::Response response;
  bool whole = false;  // the words are in it
};

// True if the schema mentions the members of our own error shape, and no others. A schema with
// others, or with only optional members, allows our shape without meaning it; then a body of its
// own shape is sent, if that has a member for the message.
bool knows_our_shape(const RequestContext& context,
                     const spec::contract::MediaTypeObject& content) {
  const auto nothing = nlohmann::json::object();
  const auto listed = listed_at(context, content, {});
  const bool has_others = std::ranges::any_of(
      listed, [](const std::string& name) { return name != "code" && name != "message"; });
  return !content.schema ||
         (!has_others &&
          !satisfies_schema(context, content, {{"code", nothing}, {"message", nothing}}));
}

// The body that the operation declares for the error: its example, else a generated one, with the
// message as far as possible. Nothing if there is neither.
std::optional<DeclaredError> declared_shape(RequestContext& context, const ContentChoice& choice,
                                            const api::ErrorEntry& entry,
                                            std::string_view message) {
  const auto& content = *choice.content;
  const GenerationOptions generation(context);
  auto [value, is_made_up] = value_of(context, choice, generation);
  DeclaredError error;
  const bool has_room = value && (value->is_structured() || choice.sent_as.is_json() ||
                                  is_plain_text(choice.sent_as));
  if (has_room && can_hold_message(choice.sent_as)) {
    // An example that is invalid already may stay invalid with the message.
    const bool is_sound = satisfies_schema(context, content, *value);
    ErrorFacts facts = facts_of(context, content, entry, message);
    facts.is_generated = is_made_up;
    error.whole = fill_error_body(*value, facts, [&](const auto& changed) {
      return !is_sound || satisfies_schema(context, content, changed);
    });
  }
  std::optional<spec::contract::write::Body> body;
  if (value) {
    body = write_response_body(context.api.contract, to_send(choice), *value);
  } else if (auto made =
                 generate_response_body(context.api.contract, context.lazy_generator.generator(),
                                        to_send(choice), generation.options())) {
    body = std::move(*made);
  }
  if (!body) {
    return std::nullopt;
  }
  error.response.status = entry.status;
  error.response.headers.add("Content-Type", std::move(body->media_type));
  error.response.body = std::move(body->bytes);
  return error;
}

// An error in words, and whether the shape that is declared for it allows the service's own.
struct WordedError {
  const api::ErrorEntry& entry;
  const std::string& message;
  bool fits_ours = false;
};

// Sends the declared shape instead of the service's, unless that would lose the message.
void use_declared_shape(RequestContext& context, const ContentChoice& choice,
                        const WordedError& error, ChosenResponse& chosen) {
  auto declared = declared_shape(context, choice, error.entry, error.message);
  if (!declared || (!declared->whole && error.fits_ours)) {
    return;
  }
  chosen = {std::move(declared->response), false};
  if (!declared->whole) {
    chosen.response.headers.add("X-Counterpart-Warning", reply::header_text(error.message));
  }
}

// The first error with a body that the operation declares: one of the status's class before
// others. Null if there is none.
const spec::contract::Response* error_alike(const spec::contract::Operation& operation,
                                            int status) {
  constexpr int kFirstErrorClass = 4;
  const spec::contract::Response* alike = nullptr;
  for (const auto& declared : operation.responses) {
    const int its_class = declared.range != 0 ? declared.range : declared.status / 100;
    if (its_class < kFirstErrorClass || declared.contents.empty()) {
      continue;
    }
    if (its_class == status / 100) {
      return &declared;
    }
    alike = alike == nullptr ? &declared : alike;
  }
  return alike;
}

// `default` is for errors where a success is declared beside it.
bool is_error(const spec::contract::Operation& operation,
              const spec::contract::Response& declared) {
  constexpr int kFirstError = 400;
  const int lowest = declared.lowest_status();
  return lowest == 0
             ? std::ranges::any_of(operation.responses, &spec::contract::Response::is_success)
             : lowest >= kFirstError;
}

// Sends the shape that is declared for another error, if it is not the service's own.
void use_shape_of(RequestContext& context, const spec::contract::Response& alike,
                  const api::ErrorEntry& entry, const std::string& message,
                  ChosenResponse& chosen) {
  const ContentChoice choice = content_for(context, alike);
  const bool fits_ours =
      choice.sent_as.is_json() &&
      satisfies_schema(context, *choice.content, {{"code", entry.code}, {"message", message}});
  if (!fits_ours || !knows_our_shape(context, *choice.content)) {
    const bool is_validated = chosen.validated;
    use_declared_shape(context, choice, {entry, message, fits_ours}, chosen);
    chosen.validated = is_validated;
  }
}

// The error of `kind` for a request that violates the contract.
ChosenResponse reject_invalid(RequestContext& context, ErrorKind kind, std::string_view details) {
  note_kind(context, kind);
  return reject(context, entry_for_invalid(context, kind), details);
}

}  // namespace

std::string in_short(const Violation& violation) {
  return std::string(to_text(violation.part)) + violation.instance + ": " +
         violation.message.text();
}

ChosenResponse reject(RequestContext& context, ErrorKind kind, std::string_view details) {
  note_kind(context, kind);
  return reject(context, context.errors()[kind], details);
}

ChosenResponse reject(RequestContext& context, const api::ErrorEntry& entry,
                      std::string_view details) {
  const std::string message = entry.message_with(details);
  ChosenResponse chosen{reply::error_response(entry.status, entry.code, message), false};
  const auto* const declared =
      context.operation != nullptr ? context.operation->response(entry.status) : nullptr;
  if (declared == nullptr || declared->contents.empty()) {
    // An undeclared error response to an invalid request is not a violation of the mock.
    chosen.validated = declared == nullptr;
    if (context.only_error != nullptr) {
      use_shape_of(context, *context.only_error, entry, message, chosen);
    }
    return chosen;
  }
  const ContentChoice choice = content_for(context, *declared);
  const bool fits_ours = choice.sent_as.is_json() && satisfies_contract(context, chosen.response);
  chosen.validated = fits_ours;
  if (fits_ours && knows_our_shape(context, *choice.content)) {
    return chosen;
  }
  use_declared_shape(context, choice, {entry, message, fits_ours}, chosen);
  return chosen;
}

ChosenResponse reject_undeclared(RequestContext& context, const api::ErrorEntry& entry,
                                 std::string_view details) {
  const std::string message = entry.message_with(details);
  ChosenResponse chosen{reply::error_response(entry.status, entry.code, message), true};
  const auto* const alike = error_alike(*context.operation, entry.status);
  if (alike != nullptr || context.only_error != nullptr) {
    use_shape_of(context, alike != nullptr ? *alike : *context.only_error, entry, message, chosen);
  }
  return chosen;
}

namespace {

using DeclaredContent = std::pair<const spec::contract::Response*, const MediaTypeObject*>;

void add_contents(const spec::contract::Response& declared, std::vector<DeclaredContent>& found) {
  for (const MediaTypeObject& content : declared.contents) {
    if (content.schema) {
      found.emplace_back(&declared, &content);
    }
  }
}

// The contents with a schema of all errors that the contract declares.
std::vector<DeclaredContent> error_contents(const spec::contract::Contract& contract) {
  std::vector<DeclaredContent> found;
  for (const auto& operation : contract.operations()) {
    for (const auto& declared : operation.responses) {
      if (is_error(operation, declared)) {
        add_contents(declared, found);
      }
    }
  }
  return found;
}

bool is_same_shape(const spec::contract::Contract& contract, const MediaTypeObject& one,
                   const MediaTypeObject& other) {
  const auto& program = contract.schemas().program();
  const auto schema = follow_references(program, *one.schema);
  const auto others = follow_references(program, *other.schema);
  return one.media_type.essence() == other.media_type.essence() &&
         (schema == others ||
          contract.schemas().source(schema).value() == contract.schemas().source(others).value());
}

}  // namespace

const spec::contract::Response* only_error(const spec::contract::Contract& contract) {
  const auto all = error_contents(contract);
  const bool is_only = !all.empty() && can_hold_message(all.front().second->media_type) &&
                       std::ranges::all_of(all, [&](const DeclaredContent& one) {
                         return is_same_shape(contract, *all.front().second, *one.second);
                       });
  return is_only ? all.front().first : nullptr;
}

std::optional<ChosenResponse> reject_violations(RequestContext& context) {
  context.violations = std::move(context.reading.violations);
  if (context.violations.empty()) {
    return std::nullopt;
  }
  const auto is_media_type = [](const Violation& v) { return v.part == Part::kMediaType; };
  if (std::ranges::any_of(context.violations, is_media_type)) {
    return reject(context, ErrorKind::kUnsupportedMediaType,
                  in_words(context.violations, is_media_type));
  }
  if (std::ranges::any_of(context.violations, is_parameter)) {
    const auto undecodable =
        std::ranges::find_if(context.violations, spec::contract::cannot_be_decoded);
    return reject_invalid(context,
                          undecodable != context.violations.end()
                              ? undecodable_in(undecodable->part)
                              : ErrorKind::kInvalidParameters,
                          in_words(context.violations, is_parameter));
  }
  return reject_invalid(context, ErrorKind::kInvalidBody,
                        in_words(context.violations, [](const Violation&) { return true; }));
}

}  // namespace mock_server::service::checks
