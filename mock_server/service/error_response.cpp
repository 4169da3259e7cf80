#include "mock_server/service/error_response.hpp"

#include "mock_server/generated/response_body.hpp"
#include "mock_server/reply/error_response.hpp"
#include "mock_server/service/error_body.hpp"
#include "mock_server/service/generation_options.hpp"
#include "spec/contract/write_only.hpp"
#include "spec/http/list_field.hpp"
#include "spec/http/media_type.hpp"
#include "spec/schema/validator/validate.hpp"

#include <algorithm>
#include <string>

namespace mock_server::service {
namespace {

using fixtures::ErrorKind;
using generated::generate_response_body;
using generated::write_response_body;
using spec::contract::Part;
using spec::contract::Violation;

// `query/page_size: must be at most 100 but is 101; ...; and 2 more`: those of a kind first, then
// all others.
std::string in_words(std::vector<Violation> violations, auto&& come_first) {
  std::ranges::stable_partition(violations, come_first);
  std::vector<std::string> lines;
  for (const Violation& violation : violations) {
    lines.push_back(in_short(violation));
  }
  return reply::first_of(lines);
}

bool is_parameter(const Violation& violation) {
  return violation.part == Part::kPath || violation.part == Part::kQuery ||
         violation.part == Part::kHeader || violation.part == Part::kCookie;
}

bool satisfies_contract(const Call& call, const spec::http::Response& response) {
  return spec::contract::validate_response(call.api.contract, *call.operation, response).empty();
}

bool is_plain_text(const spec::http::MediaType& type) {
  return type.essence() == "text/plain";
}

// JSON that can be filled, then what else can be, then the rest.
int rank_of(const spec::contract::MediaTypeObject* content) {
  const bool can_be_filled = !content->examples.empty() || content->schema;
  if (content->media_type.is_json() && can_be_filled) {
    return 0;
  }
  return can_be_filled || is_plain_text(content->media_type) ? 1 : 2;
}

// The content of the response that Accept likes best, the first by rank among those that it likes as
// much, and where it takes none.
const spec::contract::MediaTypeObject& content_for(Call& call, const spec::contract::Response& answer) {
  std::vector<const spec::contract::MediaTypeObject*> contents;
  for (const auto& content : answer.contents) {
    contents.push_back(&content);
  }
  std::ranges::stable_sort(contents, {}, &rank_of);
  std::vector<spec::http::MediaType> offered;
  for (const auto* content : contents) {
    offered.push_back(content->media_type);
  }
  call.chose_by_accept = call.chose_by_accept || offered.size() > 1;
  const auto liked =
      spec::http::negotiate(spec::http::list_field(call.request.headers, "Accept"), offered);
  return *contents[liked.value_or(0)];
}

// Whether the operation declares this very status, not only a range that holds it.
bool declares(const spec::contract::Operation& operation, int status) {
  return std::ranges::find(operation.answers, status, &spec::contract::Response::status) !=
         operation.answers.end();
}

// The entry of `kind`, with the other of 400 and 422 where the operation declares that one alone.
fixtures::ErrorEntry entry_for_invalid(const Call& call, ErrorKind kind) {
  constexpr int kBadRequest = 400;
  constexpr int kUnprocessable = 422;
  fixtures::ErrorEntry entry = call.errors()[kind];
  const int other = entry.status == kBadRequest      ? kUnprocessable
                    : entry.status == kUnprocessable ? kBadRequest
                                                     : entry.status;
  if (!declares(*call.operation, entry.status) && declares(*call.operation, other)) {
    entry.status = other;
  }
  return entry;
}

bool satisfies_schema(const Call& call, const spec::contract::MediaTypeObject& content,
                  const nlohmann::json& body) {
  return !content.schema || fits(call.api.contract.schemas(), *content.schema,
                                 without_write_only(call.api.contract, content.schema, body),
                                 {spec::schema::Direction::kResponse});
}

// Media types of which an error's words can be part. HTML is none: they may quote the request.
bool can_tell(const spec::http::MediaType& type) {
  return type.is_json() || is_plain_text(type) || type.subtype == "xml" ||
         type.subtype.ends_with("+xml");
}

// The content's example, else a sample of its schema, where it can tell; the second says which.
std::pair<std::optional<nlohmann::json>, bool> value_of(Call& call,
                                                        const spec::contract::MediaTypeObject& content,
                                                        const GenerationOptions& generation) {
  const bool has_example = !content.examples.empty();
  if (has_example && !must_replace(call, content, content.examples.front())) {
    return {*content.examples.front().value, false};
  }
  if (has_example) {
    warn_of_replaced(call, content.examples.front());
  }
  if (!can_tell(content.media_type)) {
    return {std::nullopt, true};
  }
  if (!content.schema) {
    return {is_plain_text(content.media_type) ? std::optional<nlohmann::json>("") : std::nullopt,
            true};
  }
  auto sample = call.lazy_generator.generator().generate(*content.schema, generation.options());
  return {sample ? std::optional(std::move(*sample)) : std::nullopt, true};
}

void note_kind(Call& call, ErrorKind kind) {
  if (call.chosen_by.empty()) {
    call.chosen_by =
        "error " + std::string(fixtures::error_kind_names()[static_cast<std::size_t>(kind)]);
  }
}

struct Told {
  spec::http::Response response;
  bool whole = false;  // the words are in it
};

// Whether the schema, if there is one, says anything of the members of our own error shape. One
// whose members are all optional lets ours pass without naming them; then its own are sent, where
// they have room for the words.
bool knows_our_shape(const Call& call, const spec::contract::MediaTypeObject& content) {
  const auto nothing = nlohmann::json::object();
  return !content.schema || !satisfies_schema(call, content, {{"code", nothing}, {"message", nothing}});
}

// What the operation declares for the error: its example, else a sample, that tells what was wrong
// as far as it can. Nothing when there is neither.
std::optional<Told> declared_shape(Call& call, const fixtures::ErrorEntry& entry,
                                   std::string_view message) {
  const auto& content = content_for(call, *call.operation->answer(entry.status));
  const GenerationOptions generation(call);
  auto [value, is_made_up] = value_of(call, content, generation);
  Told told;
  const bool has_room = value && (value->is_structured() || content.media_type.is_json() ||
                                  is_plain_text(content.media_type));
  if (has_room && can_tell(content.media_type)) {
    // What violates its schema from the start breaks it no more for saying the truth.
    const bool is_sound = satisfies_schema(call, content, *value);
    told.whole = fill_error_body(
        *value, {entry.status, entry.code, message, is_made_up},
        [&](const auto& changed) { return !is_sound || satisfies_schema(call, content, changed); });
  }
  std::optional<spec::contract::write::Body> body;
  if (value) {
    body = write_response_body(call.api.contract, {*call.operation, content}, *value);
  } else if (auto made = generate_response_body(call.api.contract, call.lazy_generator.generator(),
                                                {*call.operation, content}, generation.options())) {
    body = std::move(*made);
  }
  if (!body) {
    return std::nullopt;
  }
  told.response.status = entry.status;
  told.response.headers.add("Content-Type", std::move(body->media_type));
  told.response.body = std::move(body->bytes);
  return told;
}

// The error of `kind` for a request that violates the contract.
Outcome reject_invalid(Call& call, ErrorKind kind, std::string_view details) {
  note_kind(call, kind);
  return reject(call, entry_for_invalid(call, kind), details);
}

}  // namespace

std::string in_short(const Violation& violation) {
  return std::string(to_text(violation.part)) + violation.instance + ": " + violation.message;
}

Outcome reject(Call& call, ErrorKind kind, std::string_view details) {
  note_kind(call, kind);
  return reject(call, call.errors()[kind], details);
}

Outcome reject(Call& call, const fixtures::ErrorEntry& entry, std::string_view details) {
  const std::string message = entry.message_with(details);
  Outcome outcome{reply::error_response(entry.status, entry.code, message), false};
  const auto* const answer =
      call.operation != nullptr ? call.operation->answer(entry.status) : nullptr;
  if (answer == nullptr || answer->contents.empty()) {
    // That a contract does not declare how its requests are rejected is no violation of the mock's.
    outcome.validated = answer == nullptr;
    return outcome;
  }
  const auto& content = content_for(call, *answer);
  const bool fits_ours = content.media_type.is_json() && satisfies_contract(call, outcome.response);
  outcome.validated = fits_ours;
  if (fits_ours && knows_our_shape(call, content)) {
    return outcome;
  }
  auto declared = declared_shape(call, entry, message);
  if (declared && (declared->whole || !fits_ours)) {
    outcome = {std::move(declared->response), false};
    if (!declared->whole) {
      outcome.response.headers.add("X-Counterpart-Warning", reply::header_text(message));
    }
  }
  return outcome;
}

std::optional<Outcome> reject_violations(Call& call) {
  call.violations = std::move(call.reading.violations);
  if (call.violations.empty()) {
    return std::nullopt;
  }
  const auto is_media_type = [](const Violation& v) { return v.part == Part::kMediaType; };
  if (std::ranges::any_of(call.violations, is_media_type)) {
    return reject(call, ErrorKind::kUnsupportedMediaType, in_words(call.violations, is_media_type));
  }
  if (std::ranges::any_of(call.violations, is_parameter)) {
    const bool undecodable =
        std::ranges::any_of(call.violations, spec::contract::cannot_be_decoded);
    return reject_invalid(
        call, undecodable ? ErrorKind::kUndecodableParameters : ErrorKind::kInvalidParameters,
        in_words(call.violations, is_parameter));
  }
  return reject_invalid(call, ErrorKind::kInvalidBody,
                        in_words(call.violations, [](const Violation&) { return true; }));
}

}  // namespace mock_server::service
