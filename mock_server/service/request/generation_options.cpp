#include "mock_server/service/request/generation_options.hpp"

#include "mock_server/examples/response_example.hpp"
#include "mock_server/state/cells.hpp"
#include "spec/contract/contract.hpp"
#include "spec/json/number.hpp"
#include "spec/json/value.hpp"
#include "spec/schema/validator/validate.hpp"
#include "spec/text/names.hpp"
#include "spec/text/quote.hpp"

#include <algorithm>
#include <string>
#include <string_view>

namespace mock_server::service::request {

std::uint64_t seed_of(const RequestContext& context) {
  const state::Cell cell = context.session->read(state::kSeedCell);
  return cell ? state::number_in(cell) : context.lazy_generator.seed();
}

std::chrono::seconds dates_moved_by(const RequestContext& context) {
  using std::chrono::days;
  using std::chrono::sys_days;
  if (context.session->is_untouched() || context.session->clock() == state::ClockSetting{}) {
    return context.api.options.today;
  }
  constexpr sys_days kEndOf2025{std::chrono::year{2026} / 1 / 1};
  return std::chrono::floor<days>(context.session->now()) - kEndOf2025;
}

namespace {

using spec::schema::generate::Given;

// Other names of the last path value in a response: "id", and "customer_id" after "/customers/".
std::vector<std::string> aliases(std::string_view path) {
  if (!path.ends_with('}')) {
    return {};
  }
  std::vector<std::string> names{"id"};
  const std::size_t open = path.rfind("/{");
  if (open == std::string_view::npos || open == 0) {
    return names;
  }
  const std::size_t slash = path.rfind('/', open - 1);
  const std::string before = spec::text::singular(path.substr(slash + 1, open - slash - 1));
  if (!before.empty() && before.find('{') == std::string::npos) {
    names.push_back(before + "_id");
    names.push_back(before + "Id");
  }
  return names;
}

void give(std::vector<Given>& given, const std::string& name, const std::string& value) {
  given.emplace_back(name, value);
  if (spec::json::is_number_text(value)) {
    given.emplace_back(name, spec::json::make_number(value));
  }
}

}  // namespace

GenerationOptions::GenerationOptions(const RequestContext& context)
    : ends_with_key_(context.operation != nullptr && context.operation->path.ends_with('}')) {
  for (const auto& [name, value] : context.path_values) {
    give(given_, name, value);
  }
  if (!context.path_values.empty()) {
    key_ = spec::json::write(context.path_values.back().second);
    for (const std::string& name : aliases(context.operation->path)) {
      give(given_, name, context.path_values.back().second);
    }
  }
  options_.seed = context.preferences.seed.value_or(seed_of(context));
  options_.key = key_;
  options_.direction = spec::schema::Direction::kResponse;
  options_.use_examples = !context.preferences.dynamic;
  options_.given = &given_;
  options_.later = dates_moved_by(context);
  options_.thing =
      context.operation == nullptr ? "" : spec::contract::subject_of(*context.operation);
}

void GenerationOptions::echo(nlohmann::json& example) const {
  if (!example.is_object()) {
    return;
  }
  for (const auto& [name, value] : given_) {
    const auto member = example.find(name);
    const bool is_anothers = name == "id" && !ends_with_key_;
    if (member == example.end() || is_anothers) {
      continue;
    }
    using spec::json::Type;
    const Type type = spec::json::type_of(value);
    if (type == spec::json::type_of(*member) && (type == Type::kString || type == Type::kNumber)) {
      *member = value;
    }
  }
}

bool satisfies_schema(const RequestContext& context, const spec::contract::MediaTypeObject& content,
                      const nlohmann::json& body) {
  return examples::fits_response(context.api.contract, {content}, body);
}

bool must_replace(const RequestContext& context, const examples::ResponseContent& content,
                  const spec::contract::Example& example) {
  return !context.examples_as_written &&
         !examples::is_valid_example(context.api.contract, content, *example.value);
}

void warn_of_replaced(RequestContext& context, const spec::contract::Example& example) {
  context.warnings.push_back("the example at " + example.node.file_and_line() +
                             " violates its schema; a generated one is sent instead "
                             "(--examples as-written sends it)");
}

void add_declared_headers(RequestContext& context, spec::http::Response& response) {
  const auto* const declared = context.operation->response(response.status);
  const bool lacks_one = declared != nullptr &&
                         std::ranges::any_of(declared->headers, [&response](const auto& header) {
                           return !response.headers.has(header.name);
                         });
  if (lacks_one) {
    const GenerationOptions generation(context);
    const std::string path = std::string(context.prefix) + std::string(context.path);
    const std::string allow =
        declared->header("Allow") != nullptr
            ? spec::text::join(context.api.contract.route("", context.path).allowed)
            : "";
    const auto replaced = examples::add_declared_headers(
        context.lazy_generator.generator(),
        {context.api.contract, *declared, path, context.examples_as_written, allow},
        generation.options(), response);
    for (const std::string& name : replaced) {
      context.warnings.push_back("the example of header " + name +
                                 " violates its schema; a generated value is sent instead "
                                 "(--examples as-written sends it)");
    }
  }
}

}  // namespace mock_server::service::request
