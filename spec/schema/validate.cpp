#include "spec/schema/validate.hpp"

#include "spec/schema/judge/explain.hpp"
#include "spec/schema/judge/judge.hpp"

#include <limits>

namespace spec::schema {

Verdict check(const SchemaSet& schemas, SchemaId schema, const nlohmann::json& instance,
              const ValidateOptions& options) {
  return judge::Judge(schemas.program(), options).check(schema, instance, nullptr);
}

std::vector<Complaint> validate(const SchemaSet& schemas, SchemaId schema,
                                const nlohmann::json& instance, const ValidateOptions& options) {
  judge::Judge judge(schemas.program(), options);
  if (judge.check(schema, instance, nullptr) == Verdict::kValid) {
    return {};
  }
  // Explaining has the same means again.
  judge::Judge again(schemas.program(), options);
  judge::Explainer explainer(again, std::numeric_limits<std::size_t>::max(), 0);
  explainer.explain(schema, instance, nullptr, nullptr);
  return explainer.take();
}

}  // namespace spec::schema
