#include "spec/schema/tests/twin/evaluate.hpp"

#include "spec/json/number.hpp"
#include "spec/schema/patterns/pattern.hpp"
#include "spec/schema/tests/twin/outcome.hpp"

#include <algorithm>

namespace spec::schema::twin {

namespace {

using nlohmann::json;

// A dynamic reference may lead back to itself without end.
constexpr std::size_t kMaxDepth = 500;

// One schema object at one instance. Each function is one keyword or one family, in the order of
// Core §10 and §11.
class Step {
 public:
  Step(Evaluation& evaluation, const json& schema, std::string base, const json& instance)
      : evaluation_(evaluation), schema_(schema), base_(std::move(base)), instance_(instance) {}

  Outcome run() {
    evaluation_.scope.push_back(base_);
    outcome_.valid = satisfies_assertions(evaluation_, schema_, base_, instance_);
    references();
    logic();
    discriminator();
    conditional();
    dependent();
    if (instance_.is_array()) {
      items();
      contains();
    }
    if (instance_.is_object()) {
      properties();
      property_names();
    }
    unevaluated();
    evaluation_.scope.pop_back();
    return outcome_;
  }

 private:
  bool has(const char* keyword) const { return schema_.contains(keyword); }

  Outcome apply(const json& subschema, const json& instance) {
    return evaluate(evaluation_, {&subschema, base_}, instance);
  }

  void require(bool kept) { outcome_.valid = outcome_.valid && kept; }

  void require(const Outcome& applied) {
    require(applied.valid);
    outcome_.absorb(applied);
  }

  // Source: Core §8.2.3.
  void references() {
    if (has("$ref")) {
      const Place target = evaluation_.documents.resolve(schema_["$ref"].get<std::string>(), base_);
      require(evaluate(evaluation_, target, instance_));
    }
    if (has("$dynamicRef")) {
      require(evaluate(evaluation_, dynamic_target(), instance_));
    }
  }

  // The lexical target, unless that is a dynamic anchor: then the outermost one of its name.
  Place dynamic_target() const {
    const auto reference = schema_["$dynamicRef"].get<std::string>();
    const Place target = evaluation_.documents.resolve(reference, base_);
    const auto hash = reference.find('#');
    const std::string name = hash == std::string::npos ? "" : reference.substr(hash + 1);
    if (!target.schema->is_object() || target.schema->value("$dynamicAnchor", "") != name ||
        name.empty()) {
      return target;
    }
    for (const std::string& base : evaluation_.scope) {
      if (const Place outer = evaluation_.documents.dynamic_anchor(base, name); outer.schema) {
        return outer;
      }
    }
    return target;
  }

  // Source: Core §10.2.1.
  void logic() {
    if (has("allOf")) {
      for (const json& each : schema_["allOf"]) {
        require(apply(each, instance_));
      }
    }
    if (has("anyOf")) {
      require(count_valid(schema_["anyOf"]) > 0);
    }
    if (has("oneOf")) {
      require(count_valid(schema_["oneOf"]) == 1);
    }
    if (has("not")) {
      require(!apply(schema_["not"], instance_).valid);
    }
  }

  void discriminator() {
    if (evaluation_.open_api && instance_.is_object() && has("discriminator")) {
      require(tag_selects_an_alternative(evaluation_.documents, {&schema_, base_}, instance_));
    }
  }

  int count_valid(const json& alternatives) {
    int valid = 0;
    for (const json& each : alternatives) {
      const Outcome applied = apply(each, instance_);
      valid += applied.valid ? 1 : 0;
      outcome_.absorb(applied);
    }
    return valid;
  }

  // Source: Core §10.2.2.
  void conditional() {
    if (!has("if")) {
      return;
    }
    const Outcome condition = apply(schema_["if"], instance_);
    outcome_.absorb(condition);
    const char* keyword = condition.valid ? "then" : "else";
    if (has(keyword)) {
      require(apply(schema_[keyword], instance_));
    }
  }

  // Source: Core §10.2.2.4; `dependencies` as JSON Schema Validation appendix A has it kept.
  void dependent() {
    if (has("dependentSchemas") && instance_.is_object()) {
      for (const auto& [name, subschema] : schema_["dependentSchemas"].items()) {
        if (instance_.contains(name)) {
          require(apply(subschema, instance_));
        }
      }
    }
  }

  // Source: Core §10.3.1.1, §10.3.1.2.
  void items() {
    std::size_t prefix = 0;
    if (has("prefixItems")) {
      prefix = std::min(schema_["prefixItems"].size(), instance_.size());
      for (std::size_t i = 0; i < prefix; ++i) {
        require(apply(schema_["prefixItems"][i], instance_[i]).valid);
        outcome_.elements.insert(i);
      }
    }
    if (has("items")) {
      for (std::size_t i = prefix; i < instance_.size(); ++i) {
        require(apply(schema_["items"], instance_[i]).valid);
        outcome_.elements.insert(i);
      }
    }
  }

  // Source: Core §10.3.1.3; Validation §6.4.4, §6.4.5.
  void contains() {
    if (!has("contains")) {
      return;
    }
    std::uint64_t matches = 0;
    for (std::size_t i = 0; i < instance_.size(); ++i) {
      if (apply(schema_["contains"], instance_[i]).valid) {
        ++matches;
        outcome_.elements.insert(i);
      }
    }
    const bool bounded = evaluation_.documents.uses_vocabulary(base_, "validation");
    const json low = bounded && has("minContains") ? schema_["minContains"] : json(1U);
    require(spec::json::compare_numbers(json(matches), low) >= 0);
    if (bounded && has("maxContains")) {
      require(spec::json::compare_numbers(json(matches), schema_["maxContains"]) <= 0);
    }
  }

  // Source: Core §10.3.2.1 to §10.3.2.3.
  void properties() {
    std::set<std::string> named;
    for (const auto& [name, value] : instance_.items()) {
      if (has("properties") && schema_["properties"].contains(name)) {
        require(apply(schema_["properties"][name], value).valid);
        named.insert(name);
      }
      if (has("patternProperties")) {
        for (const auto& [pattern, subschema] : schema_["patternProperties"].items()) {
          if (matches(pattern, name)) {
            require(apply(subschema, value).valid);
            named.insert(name);
          }
        }
      }
    }
    if (has("additionalProperties")) {
      for (const auto& [name, value] : instance_.items()) {
        if (!named.contains(name)) {
          require(apply(schema_["additionalProperties"], value).valid);
          outcome_.members.insert(name);
        }
      }
    }
    outcome_.members.insert(named.begin(), named.end());
  }

  // Source: Core §10.3.2.4.
  void property_names() {
    if (has("propertyNames")) {
      for (const auto& [name, value] : instance_.items()) {
        require(apply(schema_["propertyNames"], json(name)).valid);
      }
    }
  }

  // Source: Core §11.2, §11.3.
  void unevaluated() {
    if (has("unevaluatedItems") && instance_.is_array()) {
      for (std::size_t i = 0; i < instance_.size(); ++i) {
        if (!outcome_.elements.contains(i)) {
          require(apply(schema_["unevaluatedItems"], instance_[i]).valid);
          outcome_.elements.insert(i);
        }
      }
    }
    if (has("unevaluatedProperties") && instance_.is_object()) {
      for (const auto& [name, value] : instance_.items()) {
        if (!outcome_.members.contains(name)) {
          require(apply(schema_["unevaluatedProperties"], value).valid);
          outcome_.members.insert(name);
        }
      }
    }
  }

  Evaluation& evaluation_;
  const json& schema_;
  std::string base_;
  const json& instance_;
  Outcome outcome_;
};

}  // namespace

bool matches(const std::string& pattern, const std::string& text) {
  const auto compiled = patterns::Pattern::compile(pattern);
  const auto found = compiled ? compiled->search(text) : patterns::Search::kNotFound;
  if (found == patterns::Search::kUndecided) {
    throw LimitError("the pattern is too hard: " + pattern);
  }
  return found == patterns::Search::kFound;
}

Outcome evaluate(Evaluation& evaluation, const Place& place, const json& instance) {
  if (evaluation.steps_left-- == 0 || evaluation.scope.size() > kMaxDepth) {
    throw LimitError("too many subschemas");
  }
  if (place.schema->is_boolean()) {
    return {.valid = place.schema->get<bool>(), .members = {}, .elements = {}};
  }
  return Step(evaluation, *place.schema, evaluation.documents.base_of(*place.schema, place.base),
              instance)
      .run();
}

bool is_valid(const Documents& documents, const Place& place, const json& instance,
              const EvaluateOptions& options) {
  Evaluation evaluation{.documents = documents,
                        .assert_format = options.assert_format,
                        .open_api = options.open_api,
                        .steps_left = options.max_steps,
                        .scope = {}};
  return evaluate(evaluation, place, instance).valid;
}

}  // namespace spec::schema::twin
