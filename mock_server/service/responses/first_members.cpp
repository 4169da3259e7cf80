#include "mock_server/service/responses/first_members.hpp"

#include "mock_server/api/nested_collection.hpp"
#include "mock_server/state/session_clock.hpp"
#include "spec/contract/resources/state_words.hpp"
#include "spec/contract/resources/states.hpp"
#include "spec/schema/applicable.hpp"
#include "spec/schema/generate/first_values.hpp"
#include "spec/text/names.hpp"

#include <nlohmann/json.hpp>

#include <utility>

namespace mock_server::service::responses {

using nlohmann::json;
using spec::schema::Schemas;

namespace resources = spec::contract::resources;

std::optional<json> default_of(const RequestContext& context, const Schemas& schemas) {
  const auto found = spec::schema::keyword_value(context.api.contract.schemas().program(), schemas,
                                                 spec::schema::Reach::kUnlessNull, "default");
  return found ? std::optional(found.value()) : std::nullopt;
}

bool is_time_of_end(const spec::schema::Summary& summary, std::string_view name, const json& made) {
  const bool is_mark = resources::mark_in(name) != spec::text::plain_name(name);
  const bool is_time = summary.format.starts_with("date") || (is_mark && summary.is_number());
  return (is_time && resources::is_word_for_end(name)) ||
         spec::schema::generate::is_time_of_last(name, made);
}

bool is_blank(const json& value) {
  return value.is_boolean() || value == 0 || value == json::array();
}

namespace {

bool states_example(const RequestContext& context, const Schemas& schemas) {
  const auto& program = context.api.contract.schemas().program();
  const auto states = [&](std::string_view keyword) {
    return static_cast<bool>(
        spec::schema::keyword_value(program, schemas, spec::schema::Reach::kUnlessNull, keyword));
  };
  return states("example") || states("examples");
}

class Starter {
 public:
  explicit Starter(const RequestContext& context)
      : context_(context), now_(state::to_instant(context.session->now())) {}

  void start(const Schemas& schemas, json& example, int depth) const {
    constexpr int kMaxDepth = 4;
    if (schemas.empty() || depth > kMaxDepth || !example.is_object()) {
      return;
    }
    const auto& contract = context_.api.contract;
    const bool is_other = depth > 0 && example.contains("id");
    for (const auto& [name, inner] : contract.summaries().summary_of(schemas).properties) {
      const auto own = example.find(name);
      if (own == example.end()) {
        continue;
      }
      auto value = is_other ? resources::first_state(contract, inner, name)
                            : value_at_first(inner, name, *own);
      if (value) {
        *own = std::move(*value);
      } else {
        start(inner, *own, depth + 1);
      }
    }
  }

 private:
  // What a new record has in the place of a generated value: its default, or nothing that
  // happened.
  std::optional<json> value_at_first(const Schemas& schemas, const std::string& name,
                                     const json& made) const {
    if (auto state = resources::first_state(context_.api.contract, schemas, name)) {
      return state;
    }
    auto value = default_of(context_, schemas);
    const bool has_default = value && !value->is_null();
    if (!has_default && made.is_boolean() && resources::is_word_for_end(name)) {
      return false;
    }
    if (!has_default && (!made.is_boolean() || !states_example(context_, schemas))) {
      value = spec::schema::generate::new_value(name, made, now_);
    }
    const bool fits =
        value && !value->is_null() && api::may_have(context_.api.contract, schemas, *value);
    return fits ? value : std::nullopt;
  }

  const RequestContext& context_;
  spec::time::Instant now_;
};

}  // namespace

void start_members(const RequestContext& context, const Schemas& schemas, json& example) {
  Starter(context).start(schemas, example, 0);
}

}  // namespace mock_server::service::responses
