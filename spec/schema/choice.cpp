#include "spec/schema/choice.hpp"

#include "spec/schema/prefix.hpp"

namespace spec::schema {

Branches Choice::tagged(const nlohmann::json& object) const {
  const auto& members = *object.get_ptr<const nlohmann::json::object_t*>();
  const auto found = members.find(tag);
  const auto* text = found == members.end() ? nullptr : found->second.get_ptr<const std::string*>();
  if (text == nullptr) {
    return {};
  }
  const std::uint64_t prefix = prefix_of(*text);
  for (const TaggedText& known : texts) {
    if (known.prefix == prefix && known.text == *text) {
      return known.branches;
    }
  }
  return others;
}

}  // namespace spec::schema
