#include "spec/schema/validate.hpp"

#include "spec/schema/judge/explain.hpp"
#include "spec/schema/judge/judge.hpp"

#include <algorithm>
#include <limits>

namespace spec::schema {

Verdict check(const SchemaSet& schemas, SchemaId schema, const nlohmann::json& instance,
              const ValidateOptions& options) {
  return judge::Judge(schemas.program(), options).check(schema, instance, nullptr);
}

bool fits(const SchemaSet& schemas, SchemaId schema, const nlohmann::json& instance,
          const ValidateOptions& options) {
  judge::Judge judge(schemas.program(), options);
  const Verdict verdict = judge.check(schema, instance, nullptr);
  return verdict == Verdict::kValid || (verdict == Verdict::kUndecided && !judge.met_limit());
}

std::vector<Complaint> validate(const SchemaSet& schemas, SchemaId schema,
                                const nlohmann::json& instance, const ValidateOptions& options) {
  judge::Judge judge(schemas.program(), options);
  const Verdict verdict = judge.check(schema, instance, nullptr);
  if (verdict == Verdict::kValid) {
    return {};
  }
  // Explaining has the same means again.
  judge::Judge again(schemas.program(), options);
  judge::Explainer explainer(again, std::numeric_limits<std::size_t>::max(), 0);
  explainer.explain(schema, instance, nullptr, nullptr);
  std::vector<Complaint> complaints = explainer.take();
  if (verdict == Verdict::kInvalid && std::ranges::all_of(complaints, &Complaint::undecided)) {
    const document::Node node = schemas.source(schema);
    complaints.push_back({.instance = "",
                          .statement = node,
                          .keyword = node.key(),
                          .message = "must keep the schema but does not, and where takes too long "
                                     "to tell"});
  }
  return complaints;
}

}  // namespace spec::schema
