#include "spec/schema/samples/sampler.hpp"

#include "spec/schema/samples/agree.hpp"
#include "spec/schema/samples/builder.hpp"

#include <algorithm>
#include <optional>
#include <utility>

namespace spec::schema::samples {

namespace {

using Json = nlohmann::json;

constexpr unsigned kMaxAttempts = 48;
constexpr unsigned kBudget = 6000;  // values made for one sample, all attempts together

// The values that a schema's own text offers, those that keep it.
std::vector<Json> stated_examples(const SchemaSet& schemas, SchemaId id) {
  std::vector<Json> found;
  const document::Node node = schemas.source(id);
  const auto offer = [&](const document::Node& value) {
    Json example = value.value();
    if (fits(schemas, id, example)) {
      found.push_back(std::move(example));
    }
  };
  if (const auto example = node.find("example")) {
    offer(example);
  }
  for (const document::Node& each :
       node.find("examples") ? node.find("examples").elements() : std::vector<document::Node>{}) {
    offer(each);
  }
  if (const auto value = node.find("default")) {
    offer(value);
  }
  return found;
}

// The value with its members in agreement, if that keeps the schema. What the schema states itself
// stays as it is.
Json settled(const Ground& ground, SchemaId schema, Json value, const SampleOptions& options) {
  const auto& stated = ground.examples[schema];
  if (std::find(stated.begin(), stated.end(), value) != stated.end()) {
    return value;
  }
  Agreement agreement;
  if (agreement.settle(value) && !fits(ground.schemas, schema, value, {options.direction})) {
    agreement.undo();
  }
  return value;
}

// Why there is no sample: the inmost place where none could be made, and what it asks for.
std::string reason_of(const Ground& ground, const Stuck& stuck) {
  if (stuck.is_too_large) {
    return "must have an instance but the least one is larger than samples are made";
  }
  std::string reason = "must have an instance but none was found";
  if (stuck.schema == kNoId) {
    return reason;
  }
  reason += stuck.name.empty() ? "; nothing" : "; no \"" + stuck.name + '"';
  reason += " keeps";
  const Schema& schema = ground.program.schemas[stuck.schema];
  for (const Rule& rule : schema.rules) {
    reason += (&rule == &schema.rules.front() ? " " : ", ") + rule.node.key();
  }
  return reason + " of " + schema.node.pointer();
}

}  // namespace

struct Sampler::State {
  explicit State(const SchemaSet& schemas) : ground(schemas) {}

  Ground ground;
};

Sampler::Sampler(const SchemaSet& schemas) : state_(std::make_unique<State>(schemas)) {
  const std::size_t count = schemas.program().schemas.size();
  for (SchemaId id = 0; id < count; ++id) {
    state_->ground.examples.push_back(stated_examples(schemas, id));
  }
}

Sampler::~Sampler() = default;
Sampler::Sampler(Sampler&&) noexcept = default;
Sampler& Sampler::operator=(Sampler&&) noexcept = default;

Result<Json, SampleFailure> Sampler::sample(SchemaId schema, const SampleOptions& options) const {
  const Ground& ground = state_->ground;
  const document::Node node = ground.schemas.source(schema);
  if (ground.depths[schema] == kNoLimit) {
    return Unexpected{SampleFailure{node, "must have an instance but none is finite"}};
  }
  const std::uint64_t seed = derive(derive(options.seed, node.pointer()), options.key);
  const std::uint64_t about = derive(options.seed, options.key);
  Persona persona = make_persona(about);
  persona.start_seconds += options.later.count();
  std::optional<Json> last;
  const NameSense sense = read_name(options.name);
  unsigned budget = kBudget;
  Stuck stuck;
  for (unsigned number = 0; number < kMaxAttempts && budget > 0; ++number) {
    const Attempt attempt{ground, options, persona, number, budget, stuck};
    auto value =
        build(attempt, {schema}, {derive(seed, std::uint64_t{number}), options.name, &sense, 0});
    if (value && fits(ground.schemas, schema, *value, {options.direction})) {
      return settled(ground, schema, std::move(*value), options);
    }
    if (value) {
      last = std::move(value);
    }
  }
  std::string reason = reason_of(ground, stuck);
  if (last) {
    const auto complaints = validate(ground.schemas, schema, *last, {options.direction});
    reason += "; the nearest one breaks " + complaints.front().statement.pointer() + ": " +
              complaints.front().message;
  }
  return Unexpected{SampleFailure{node, std::move(reason)}};
}

}  // namespace spec::schema::samples
