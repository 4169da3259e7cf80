#include "spec/contract/write_only.hpp"

#include "spec/contract/state.hpp"
#include "spec/json/pointer.hpp"
#include "spec/schema/validate.hpp"

#include <algorithm>
#include <iterator>
#include <unordered_map>

namespace spec::contract {

namespace {

using document::Member;
using document::Node;
using Json = nlohmann::json;

class WriteOnlyFinder {
 public:
  explicit WriteOnlyFinder(const Contract::State& state) : state_(state) {}

  std::vector<WriteOnlyMember> run(const Node& schema, const Json& value) {
    walk(schema, value, "");
    return std::move(found_);
  }

 private:
  void walk(const Node& schema, const Json& value, const std::string& at) {
    std::vector<Node>& seen = seen_[&value];
    if (!schema.is_object() || std::ranges::find(seen, schema) != seen.end()) {
      return;
    }
    seen.push_back(schema);
    if (const auto target = state_.references.find(schema); target != state_.references.end()) {
      walk(target->second, value, at);
    }
    const Node keyword = schema.find("writeOnly");
    if (keyword && keyword.is_boolean() && keyword.boolean() && !at.empty()) {
      add(at, keyword);
      return;
    }
    for (const Node& part : schema.find("allOf").elements()) {
      walk(part, value, at);
    }
    for (const std::string_view choice : {"anyOf", "oneOf"}) {
      walk_branches(schema.find(choice).elements(), value, at);
    }
    for (const std::string_view branch : {"then", "else"}) {
      walk(schema.find(branch), value, at);
    }
    if (value.is_object()) {
      walk_members(schema, value, at);
    } else if (value.is_array()) {
      walk_elements(schema, value, at);
    }
  }

  bool takes(const Node& schema, const Json& value) const {
    const schema::SchemaId id = state_.schema_ids.find(schema);
    return id != Contract::State::kNoSchema &&
           schema::check(*state_.schemas, id, value, {schema::Direction::kResponse}) ==
               schema::Verdict::kValid;
  }

  void walk_branches(const std::vector<Node>& branches, const Json& value, const std::string& at) {
    std::vector<Node> takers;
    std::ranges::copy_if(branches, std::back_inserter(takers),
                         [this, &value](const Node& branch) { return takes(branch, value); });
    for (const Node& branch : takers.empty() ? branches : takers) {
      walk(branch, value, at);
    }
  }

  void walk_members(const Node& schema, const Json& value, const std::string& at) {
    const Node properties = schema.find("properties");
    for (const auto& [name, member] : value.items()) {
      const Node property = properties ? properties.find(name) : Node();
      std::string inner = at;
      spec::json::append_token(inner, name);
      walk(property ? property : schema.find("additionalProperties"), member, inner);
    }
  }

  void walk_elements(const Node& schema, const Json& value, const std::string& at) {
    const std::vector<Node> first = schema.find("prefixItems").elements();
    for (std::size_t i = 0; i < value.size(); ++i) {
      const std::string inner = at + '/' + std::to_string(i);
      walk(i < first.size() ? first[i] : schema.find("items"), value[i], inner);
    }
  }

  void add(const std::string& at, const Node& keyword) {
    const bool is_known = std::ranges::any_of(
        found_, [&at](const WriteOnlyMember& one) { return one.pointer == at; });
    if (!is_known) {
      found_.push_back({at, keyword});
    }
  }

  const Contract::State& state_;
  std::vector<WriteOnlyMember> found_;
  std::unordered_map<const Json*, std::vector<Node>> seen_;
};

}  // namespace

std::vector<WriteOnlyMember> write_only_members(const Contract::State& state,
                                                schema::SchemaId schema, const Json& value) {
  return state.has_write_only && value.is_structured()
             ? WriteOnlyFinder(state).run(state.schemas->source(schema), value)
             : std::vector<WriteOnlyMember>{};
}

bool has_write_only(const Contract& contract) {
  return contract.state().has_write_only;
}

Json without_write_only(const Contract& contract, std::optional<schema::SchemaId> schema,
                        Json value) {
  if (!schema) {
    return value;
  }
  for (const WriteOnlyMember& member : write_only_members(contract.state(), *schema, value)) {
    const Json::json_pointer pointer(member.pointer);
    Json& parent = value[pointer.parent_pointer()];
    if (parent.is_object()) {
      parent.erase(pointer.back());
    }
  }
  return value;
}

}  // namespace spec::contract
