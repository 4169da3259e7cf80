// The words for oneOf and anyOf: the branch that was meant, else what speaks against each.

#include "spec/json/value.hpp"
#include "spec/schema/judge/explain.hpp"
#include "spec/schema/judge/meant.hpp"
#include "spec/schema/judge/words.hpp"

namespace spec::schema::judge {
namespace {

// Branches inside branches inside branches are not listed: their number doubles with each level.
constexpr int kMaxListedNesting = 2;

// "Dog" for a reference to "#/components/schemas/Dog", else the number of the branch.
std::string branch_name(const Program& program, SchemaId branch, std::size_t index) {
  const document::Node node = program.schemas[branch].node;
  const document::Node reference = node.find("$ref");
  if (reference && reference.is_string()) {
    const std::string_view text = reference.string();
    return std::string(text.substr(text.find_last_of("/#") + 1));
  }
  return "number " + std::to_string(index + 1);
}

}  // namespace

void Explainer::explain_branches(const Rule& rule, const Frame& frame, const Path* path) {
  const std::vector<SchemaId>& branches = program().lists[rule.operand];
  const std::string several = rule.keyword == Keyword::kOneOf ? too_many(branches, frame) : "";
  if (!several.empty()) {
    complain(rule, path, several);
    return;
  }
  const SchemaId meant = meant_branch(program(), branches, frame);
  if (meant != kNoId) {
    explain(meant, *frame.instance, path, &frame, frame.evaluated);
    return;
  }
  if (frame.evaluated != nullptr) {
    frame.evaluated->mark_all();
  }
  if (explain_discriminator(rule, frame, path)) {
    return;
  }
  complain(rule, path,
           (rule.keyword == Keyword::kOneOf ? "must match exactly one of "
                                            : "must match at least one of ") +
               counted(branches.size(), "schema", "schemas") + " but matches none" +
               branch_reasons(branches, frame));
}

// The names of the branches that match, when they are more than one.
std::string Explainer::too_many(const std::vector<SchemaId>& branches, const Frame& frame) {
  std::string names;
  std::size_t count = 0;
  for (std::size_t i = 0; i < branches.size(); ++i) {
    if (judge_.check(branches[i], *frame.instance, &frame) == Verdict::kValid) {
      names += (count++ == 0 ? "" : ", ") + branch_name(program(), branches[i], i);
    }
  }
  return count < 2 ? ""
                   : "must match exactly one of " + counted(branches.size(), "schema", "schemas") +
                         " but matches " + std::to_string(count) + ": " + names;
}

// The discriminating property is missing or has a value that names no branch.
bool Explainer::explain_discriminator(const Rule& rule, const Frame& frame, const Path* path) {
  const std::uint32_t index = program().schemas[frame.schema].discriminator;
  if (index == kNoId || !frame.instance->is_object()) {
    return false;
  }
  const DiscriminatorTable& table = program().discriminators[index];
  const auto allowed = discriminator_values(program(), table, program().lists[rule.operand]);
  const auto found = frame.instance->find(table.property);
  if (found == frame.instance->end()) {
    complain_at(table.node, "discriminator", path,
                "must have the property " + in_quotes(table.property) + ", " + choice(allowed) +
                    ", but lacks it");
    return true;
  }
  for (const Json& value : allowed) {
    if (json::equal(value, *found)) {
      return false;
    }
  }
  const Path member{.parent = path, .name = &table.property};
  complain_at(table.node, "discriminator", &member,
              "must be " + choice(allowed) + " but is " + short_text(*found));
  return true;
}

// ": (1) must be a string but is 5; (2) ...", the first complaint of each branch.
std::string Explainer::branch_reasons(const std::vector<SchemaId>& branches, const Frame& frame) {
  std::string reasons;
  if (nesting_ >= kMaxListedNesting) {
    return reasons;
  }
  for (std::size_t i = 0; i < branches.size(); ++i) {
    Explainer inner(judge_, 1, nesting_ + 1);
    inner.explain(branches[i], *frame.instance, nullptr, &frame);
    for (const Complaint& complaint : inner.take()) {
      reasons += (reasons.empty() ? ": " : "; ") + ('(' + std::to_string(i + 1) + ") ") +
                 (complaint.instance.empty() ? "" : complaint.instance + ' ') + complaint.message;
    }
  }
  return reasons;
}

}  // namespace spec::schema::judge
