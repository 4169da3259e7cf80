#include "spec/contract/loading/load_steps.hpp"

#include <array>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>

namespace spec::contract::loading {

namespace {

using document::Member;
using document::Node;

constexpr std::array<std::pair<std::string_view, Location>, 5> kQualifiers{
    {{"path.", Location::kPath},
     {"query.", Location::kQuery},
     {"querystring.", Location::kQuerystring},
     {"header.", Location::kHeader},
     {"cookie.", Location::kCookie}}};

// Parameters are named "id", or "path.id" if the name alone is ambiguous.
bool has_parameter(const Operation& operation, std::string_view name) {
  for (const auto& [qualifier, location] : kQualifiers) {
    const bool is_qualified = name.starts_with(qualifier);
    const std::string_view plain = is_qualified ? name.substr(qualifier.size()) : name;
    const bool is_in_path =
        location == Location::kPath &&
        operation.path.find('{' + std::string(plain) + '}') != std::string::npos;
    if (operation.parameter(location, plain) != nullptr || is_in_path) {
      return true;
    }
  }
  return false;
}

class LinkChecker {
 public:
  LinkChecker(LoadContext& context, const Inspection& inspection)
      : context_(context), inspection_(inspection) {
    for (const TypedNode& typed : inspection.objects) {
      if (typed.kind == ObjectKind::kOperation) {
        by_id_.emplace(text_of(typed.node, "operationId"), typed.node);
      }
    }
    for (const Operation& operation : context.state.operations) {
      operations_.emplace(operation.node, &operation);
    }
  }

  void run() {
    for (const TypedNode& typed : inspection_.objects) {
      if (typed.kind == ObjectKind::kLink && !typed.target && typed.node.is_object()) {
        check(typed.node);
      }
    }
  }

 private:
  void check(const Node& link) {
    const Node id = link.find("operationId");
    const Node reference = link.find("operationRef");
    if (id && reference) {
      context_.add_violation(reference,
                             "\"operationId\" and \"operationRef\" exclude each other: remove one");
    }
    const Node by_id = id ? find(id) : Node();
    const Node by_reference = reference ? follow(reference) : Node();
    const Node target = by_id ? by_id : by_reference;
    const auto operation = operations_.find(target);
    if (operation != operations_.end()) {
      check_parameters(link.find("parameters"), *operation->second);
    }
  }

  Node find(const Node& id) {
    const auto found = by_id_.find(scalar_text(id));
    if (found == by_id_.end()) {
      context_.add_violation(id, "no operation has the operationId \"" + scalar_text(id) + '"');
      return {};
    }
    return found->second;
  }

  // Follows references inside the document; others are left to those who follow links.
  Node follow(const Node& reference) {
    const std::string text = scalar_text(reference);
    if (!text.starts_with('#')) {
      return {};
    }
    try {
      return context_.state.library.resolve(reference, text);
    } catch (const LoadError&) {
      context_.add_violation(reference, "there is no operation at \"" + text + '"');
      return {};
    }
  }

  void check_parameters(const Node& parameters, const Operation& operation) {
    for (const Member& member : parameters.members()) {
      if (!has_parameter(operation, member.key)) {
        context_.add_violation(
            member.value, operation.name + " has no parameter \"" + std::string(member.key) + '"');
      }
    }
  }

  LoadContext& context_;
  const Inspection& inspection_;
  std::unordered_map<std::string, Node> by_id_;
  std::unordered_map<Node, const Operation*> operations_;
};

}  // namespace

void check_links(LoadContext& context, const Inspection& inspection) {
  LinkChecker(context, inspection).run();
}

}  // namespace spec::contract::loading
