// Messages about oneOf and anyOf: the violations of the likely branch, else the first of each
// branch.

#include "spec/json/value.hpp"
#include "spec/schema/applicable.hpp"
#include "spec/schema/validator/explain.hpp"
#include "spec/schema/validator/likely_branch.hpp"
#include "spec/schema/validator/words.hpp"

#include <algorithm>

namespace spec::schema::validator {
namespace {

// Branches inside branches inside branches are not listed: their number doubles with each level.
constexpr int kMaxListedNesting = 2;

// "Dog" for a reference to "#/components/schemas/Dog", else the number of the branch.
std::string branch_name(const Program& program, SchemaId branch, std::size_t index) {
  const document::Node node = program.schemas[branch].node;
  const document::Node reference = node.find("$ref");
  return reference.is_string() ? component_name(reference.string())
                               : "number " + std::to_string(index + 1);
}

// The discriminator beside the branches, of an instance that it looks at; null without one.
const DiscriminatorTable* table_of(const Program& program, const Frame& frame) {
  const std::uint32_t index = program.schemas[frame.schema].discriminator;
  return index == kNoId || !frame.instance->is_object() ? nullptr : &program.discriminators[index];
}

}  // namespace

void Explainer::explain_branches(const Rule& rule, const Frame& frame, const Path* path) {
  const std::vector<SchemaId>& branches = program().lists[rule.operand];
  const DiscriminatorTable* table = table_of(program(), frame);
  if (table != nullptr &&
      Validator::test_discriminator(*table, *frame.instance) == Verdict::kInvalid) {
    // The one violation is that of the discriminator.
    frame.mark_all();
    return;
  }
  const auto several =
      rule.keyword == Keyword::kOneOf ? too_many(branches, frame) : text::ViolationMessage();
  if (!several.must.empty()) {
    report(rule, path, several);
    return;
  }
  const SchemaId meant = likely_branch(program(), branches, frame);
  if (meant != kNoId) {
    explain(meant, *frame.instance, path, &frame, frame.evaluated);
    return;
  }
  frame.mark_all();
  if (table != nullptr && explain_tag(*table, *frame.instance, path)) {
    return;
  }
  report(rule, path,
         {std::string(rule.keyword == Keyword::kOneOf ? "must match exactly one of "
                                                      : "must match at least one of ") +
              counted(branches.size(), "schema", "schemas"),
          "matches none" + branch_reasons(branches, frame)});
}

// The names of the branches that match, when they are more than one.
text::ViolationMessage Explainer::too_many(const std::vector<SchemaId>& branches,
                                           const Frame& frame) {
  std::string names;
  std::size_t count = 0;
  for (std::size_t i = 0; i < branches.size(); ++i) {
    if (validator_.check(branches[i], *frame.instance, &frame) == Verdict::kValid) {
      names += (count++ == 0 ? "" : ", ") + branch_name(program(), branches[i], i);
    }
  }
  if (count < 2) {
    return {};
  }
  return {"must match exactly one of " + counted(branches.size(), "schema", "schemas"),
          "matches " + std::to_string(count) + ": " + names};
}

void Explainer::report_tag(const DiscriminatorTable& table, const Json& object, const Path* path) {
  const Path member{.parent = path, .name = &table.property};
  report_at(table.node, "discriminator", &member,
            {"must be " + choice(table.listed), "is " + short_text(object[table.property])});
}

// The discriminating property is missing or has a value that branches list otherwise.
bool Explainer::explain_tag(const DiscriminatorTable& table, const Json& object, const Path* path) {
  const auto found = object.find(table.property);
  if (found == object.end()) {
    report_at(table.node, "discriminator", path,
              {"must have the property " + in_quotes(table.property) + ", " + choice(table.listed),
               "lacks it", table.property});
    return true;
  }
  const bool is_listed = std::ranges::any_of(
      table.listed, [&found](const Json& value) { return json::equal(value, *found); });
  if (!is_listed) {
    report_tag(table, object, path);
  }
  return !is_listed;
}

// ": (1) must be a string, but is 5; (2) ...", the first violation of each branch.
std::string Explainer::branch_reasons(const std::vector<SchemaId>& branches, const Frame& frame) {
  std::string reasons;
  if (nesting_ >= kMaxListedNesting) {
    return reasons;
  }
  for (std::size_t i = 0; i < branches.size(); ++i) {
    Explainer inner(validator_, 1, nesting_ + 1);
    inner.explain(branches[i], *frame.instance, nullptr, &frame);
    for (const Violation& violation : inner.take()) {
      reasons += (reasons.empty() ? ": " : "; ") + ('(' + std::to_string(i + 1) + ") ") +
                 (violation.instance.empty() ? "" : violation.instance + ' ') +
                 violation.message.text();
    }
  }
  return reasons;
}

}  // namespace spec::schema::validator
