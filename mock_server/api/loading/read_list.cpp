#include "mock_server/api/loading/fixture_members.hpp"
#include "mock_server/api/loading/fixture_readers.hpp"
#include "mock_server/api/record_source.hpp"
#include "mock_server/api/record_view.hpp"
#include "spec/json/pointer.hpp"
#include "spec/schema/applicable.hpp"
#include "spec/schema/schema_summary.hpp"

#include <utility>

namespace mock_server::api::loading {
namespace {

using spec::contract::Operation;
using spec::document::Node;

class ListReader {
 public:
  ListReader(const Node& node, const Operation& operation, LoadContext& context)
      : node_(node), operation_(operation), context_(context) {}

  ListPlan read() {
    plan_.elements = pointer_at(node_, "elements").value_or(std::vector<std::string>{});
    plan_.into = pointer_at(node_, "into").value_or(std::vector<std::string>{});
    plan_.order_by = pointer_at(node_, "order_by");
    for (const Node& node : node_.find("filters").elements()) {
      read_filter(node);
    }
    if (const Node node = node_.find("paging")) {
      read_paging(node);
    }
    if (!node_.find("elements")) {
      read_of_records();
    }
    return std::move(plan_);
  }

 private:
  void read_of_records() {
    check_shown(node_, plan_.into, operation_, context_);
    plan_.element = pointer_at(node_, "element").value_or(std::vector<std::string>{});
    plan_.shown = shown_elements();
    plan_.sort = read_place(node_, "sort", &operation_, context_);
    plan_.direction = read_place(node_, "direction", &operation_, context_);
    const Node totals = node_.find("totals");
    for (const auto& [name, total] : kTotals) {
      if (auto at = pointer_at(totals, name)) {
        check_shown(totals, *at, operation_, context_);
        plan_.totals.push_back({total, std::move(*at), ""});
      }
    }
    read_headers();
  }

  spec::schema::Schemas shown_elements() const {
    const auto applied =
        response_schema(context_.contract, operation_, operation_.success_status());
    std::vector<std::string> at = plan_.into;
    at.emplace_back("0");
    at.insert(at.end(), plan_.element.begin(), plan_.element.end());
    return applied ? schemas_at(context_.contract, {applied->id}, at) : spec::schema::Schemas{};
  }

  void read_headers() {
    const Node headers = node_.find("headers");
    const auto* const response = operation_.response(operation_.success_status());
    for (const auto& member : headers.members()) {
      const bool is_declared = response != nullptr && response->header(member.key) != nullptr;
      if (!is_declared && !context_.document_only) {
        context_.report(member.value,
                        "the response of " + operation_.name + " declares no such header");
      }
      if (const auto total = word_at(headers, member.key, kTotals)) {
        plan_.totals.push_back({*total, {}, std::string(member.key)});
      }
    }
  }

  void read_filter(const Node& node) {
    auto given = read_place(node, "given", &operation_, context_);
    auto at = pointer_at(node, "at");
    const auto is = word_at(node, "is", kComparisons);
    if (given && at && is) {
      plan_.filters.push_back({std::move(*given),
                               pointer_at(node, "inside").value_or(std::vector<std::string>{}),
                               std::move(*at), *is, texts_at(node, "all")});
    }
  }

  void read_paging(const Node& node) {
    Paging paging;
    paging.size = read_place(node, "size", &operation_, context_);
    paging.number = read_place(node, "number", &operation_, context_);
    paging.offset = read_place(node, "offset", &operation_, context_);
    paging.cursor = read_place(node, "cursor", &operation_, context_);
    paging.before = read_place(node, "before", &operation_, context_);
    paging.first = integer_at(node, "first").value_or(0);
    paging.default_size =
        contract_default(paging.size)
            .value_or(integer_at(node, "default_size").value_or(paging.default_size));
    paging.default_number = contract_default(paging.number).value_or(paging.first);
    plan_.paging = std::move(paging);
  }

  // The `default` of the parameter's schema, or of the member that the place names below it.
  std::optional<std::int64_t> contract_default(const std::optional<Place>& place) const {
    if (!place || place->tokens.empty()) {
      return std::nullopt;
    }
    const auto* const parameter =
        operation_.parameter(spec::contract::Location::kQuery, place->tokens.front());
    if (parameter == nullptr || !parameter->schema) {
      return std::nullopt;
    }
    const std::vector<std::string> members(place->tokens.begin() + 1, place->tokens.end());
    return spec::schema::default_integer(
        context_.contract.schemas().program(),
        schemas_at(context_.contract, {*parameter->schema}, members));
  }

  const Node& node_;
  const Operation& operation_;
  LoadContext& context_;
  ListPlan plan_;
};

}  // namespace

ListPlan read_list(const Node& node, const Operation& operation, LoadContext& context) {
  return ListReader(node, operation, context).read();
}

void check_shown(const Node& node, const std::vector<std::string>& tokens,
                 const Operation& operation, LoadContext& context) {
  const auto applied = response_schema(context.contract, operation, operation.success_status());
  if (!applied || context.document_only) {
    return;
  }
  spec::schema::Schemas schemas{applied->id};
  std::string pointer;
  for (const std::string& token : tokens) {
    const auto& summary = context.contract.possible_summaries().summary_of(schemas);
    const auto* const inner = summary.property(token);
    spec::json::append_token(pointer, token);
    if (inner == nullptr && (summary.open_names || summary.properties.empty())) {
      return;
    }
    if (inner == nullptr) {
      context.report(node, "the response of " + operation.name + " has no member " + pointer);
      return;
    }
    schemas = *inner;
  }
}

}  // namespace mock_server::api::loading
