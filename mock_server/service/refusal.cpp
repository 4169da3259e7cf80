#include "mock_server/service/refusal.hpp"

#include "mock_server/fixtures/answer.hpp"
#include "mock_server/fixtures/shape.hpp"

#include <algorithm>
#include <string>

namespace mock_server::service {
namespace {

using fixtures::ErrorKind;
using spec::contract::Part;
using spec::contract::Violation;

constexpr std::size_t kMostDetails = 8;

// `query/page_size: must be at most 100 but is 101; ...`
std::string in_words(const std::vector<Violation>& violations, auto&& concerns) {
  std::string words;
  std::size_t count = 0;
  for (const Violation& violation : violations) {
    if (!concerns(violation)) {
      continue;
    }
    if (++count <= kMostDetails) {
      words += (words.empty() ? "" : "; ") + std::string(to_text(violation.part)) +
               violation.instance + ": " + violation.message;
    }
  }
  return count > kMostDetails ? words + "; and " + std::to_string(count - kMostDetails) + " more"
                              : words;
}

bool is_parameter(const Violation& violation) {
  return violation.part == Part::kPath || violation.part == Part::kQuery ||
         violation.part == Part::kHeader || violation.part == Part::kCookie;
}

bool keeps_contract(const Call& call, const spec::http::Response& response) {
  return spec::contract::check_response(call.world.contract, *call.operation, response).empty();
}

// The example that the operation declares for the error, with its code and message replaced where
// it has them; nothing when there is none.
std::optional<spec::http::Response> declared_shape(const Call& call,
                                                   const fixtures::ErrorEntry& entry,
                                                   std::string_view message) {
  const auto* const answer = call.operation->answer(entry.status);
  for (const auto& content : answer->contents) {
    if (content.examples.empty() || !content.media_type.is_json()) {
      continue;
    }
    nlohmann::json body = *content.examples.front().value;
    if (body.is_object() && body.contains("code") && body["code"].is_string()) {
      body["code"] = entry.code;
    }
    if (body.is_object() && body.contains("message") && body["message"].is_string()) {
      body["message"] = message;
    }
    return fixtures::operation_response(*call.operation, entry.status, body);
  }
  return std::nullopt;
}

}  // namespace

Outcome refuse(Call& call, ErrorKind kind, std::string_view details) {
  if (call.chosen_by.empty()) {
    call.chosen_by =
        "error " + std::string(fixtures::error_kind_names()[static_cast<std::size_t>(kind)]);
  }
  return refuse(call, call.errors()[kind], details);
}

Outcome refuse(Call& call, const fixtures::ErrorEntry& entry, std::string_view details) {
  const std::string message = entry.message_with(details);
  Outcome outcome{fixtures::error_response(entry.status, entry.code, message), false};
  const auto* const answer =
      call.operation != nullptr ? call.operation->answer(entry.status) : nullptr;
  if (answer == nullptr || answer->contents.empty() || keeps_contract(call, outcome.response)) {
    outcome.judged = answer != nullptr && !answer->contents.empty();
    return outcome;
  }
  if (auto declared = declared_shape(call, entry, message)) {
    outcome.response = std::move(*declared);
  }
  return outcome;
}

std::optional<Outcome> refuse_violations(Call& call) {
  call.violations = std::move(call.reading.violations);
  if (call.violations.empty()) {
    return std::nullopt;
  }
  const auto is_media_type = [](const Violation& v) { return v.part == Part::kMediaType; };
  if (std::ranges::any_of(call.violations, is_media_type)) {
    return refuse(call, ErrorKind::kUnsupportedMediaType, in_words(call.violations, is_media_type));
  }
  if (std::ranges::any_of(call.violations, is_parameter)) {
    const bool undecodable =
        std::ranges::any_of(call.violations, spec::contract::cannot_be_decoded);
    return refuse(call,
                  undecodable ? ErrorKind::kUndecodableParameters : ErrorKind::kInvalidParameters,
                  in_words(call.violations, is_parameter));
  }
  return refuse(call, ErrorKind::kInvalidBody,
                in_words(call.violations, [](const Violation&) { return true; }));
}

}  // namespace mock_server::service
