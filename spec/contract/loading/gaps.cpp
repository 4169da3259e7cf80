#include "spec/contract/loading/inspect.hpp"
#include "spec/contract/loading/load_steps.hpp"
#include "spec/http/media_type.hpp"

#include <algorithm>
#include <array>
#include <iterator>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_set>
#include <utility>
#include <vector>

namespace spec::contract::loading {

namespace {

using document::Member;
using document::Node;

// True if the field affects messages; others are for readers, or are not inspected.
bool is_of_messages(const Field& field) {
  static constexpr std::array kKinds{ObjectKind::kParameter, ObjectKind::kHeader,
                                     ObjectKind::kRequestBody, ObjectKind::kMediaType,
                                     ObjectKind::kEncoding};
  static constexpr std::array<std::string_view, 4> kProse{"description", "summary", "deprecated",
                                                          "externalDocs"};
  return field.kind == ObjectKind::kAny ? field.form != FieldForm::kAny &&
                                              std::ranges::find(kProse, field.name) == kProse.end()
                                        : std::ranges::find(kKinds, field.kind) != kKinds.end();
}

// An entry of a `content` map whose key is no media type: see content_gap().
bool is_bad_content(const Field& field, const Member& member) {
  return field.kind == ObjectKind::kMediaType && !http::parse_media_type(member.key);
}

// Finds the parts that are not understood in an object and in all that it refers to.
class GapFinder {
 public:
  GapFinder(const LoadContext& context, Part part) : context_(context), part_(part) {}

  void look_at(const Node& node, ObjectKind kind) {
    if (!node || !seen_.insert(node).second) {
      return;
    }
    note(node);
    if (may_be_reference(kind, context_.state.version) && reference_in(node)) {
      look_at(target_of(node), kind);
      return;
    }
    for (const Member& member : node.members()) {
      const Field* field = find_field(kind, member.key);
      if (field != nullptr && is_of_messages(*field)) {
        look_into(*field, member.value, kind);
      }
    }
  }

  void look_into(const Field& field, const Node& value, ObjectKind owner) {
    note(value);
    if (field.form == FieldForm::kOne) {
      look_at(value, field.kind);
    } else if (field.form == FieldForm::kList) {
      for (const Node& element : value.elements()) {
        look_at(element, field.kind);
      }
    } else if (field.form == FieldForm::kMap) {
      const bool chooses = owner == ObjectKind::kRequestBody || owner == ObjectKind::kResponse;
      for (const Member& member : value.members()) {
        if (!chooses || !is_bad_content(field, member)) {
          look_at(member.value, field.kind);
        }
      }
    }
  }

  std::vector<Gap> take() { return std::move(gaps_); }

 private:
  Node target_of(const Node& node) const {
    try {
      return context_.state.library.resolve(node, *reference_in(node));
    } catch (const LoadError&) {
      return {};
    }
  }

  void note(const Node& node) {
    const auto found = node ? context_.not_understood.find(node) : context_.not_understood.end();
    const bool is_known = found == context_.not_understood.end() || !noted_.insert(node).second;
    if (!is_known) {
      gaps_.push_back({part_, context_.statement(node), "undecided: " + found->second,
                       reference_in(node).has_value()});
    }
  }

  const LoadContext& context_;
  Part part_;
  std::unordered_set<Node> seen_;
  std::unordered_set<Node> noted_;
  std::vector<Gap> gaps_;
};

Gap gap_at(const LoadContext& context, Part part, const Node& node, const std::string& message) {
  return {part, context.statement(node), "undecided: " + message, false};
}

// The gap of a `content` key that is no media type.
std::optional<Gap> content_gap(const LoadContext& context, const Node& content) {
  for (const Member& member : content.members()) {
    const auto found = context.not_understood.find(member.value);
    if (found != context.not_understood.end() && !http::parse_media_type(member.key)) {
      return gap_at(context, Part::kMediaType, member.value, found->second);
    }
  }
  return std::nullopt;
}

// The gap of an entry of `responses` that names no status, or of `responses` that is no map.
std::optional<Gap> status_gap(const LoadContext& context, const Operation& operation,
                              const Node& responses) {
  if (!responses) {
    return std::nullopt;
  }
  std::vector<Node> nodes{responses};
  for (const Member& member : responses.members()) {
    const bool is_read = std::ranges::any_of(operation.responses, [&](const Response& response) {
      return response.statement == context.statement(member.value);
    });
    if (!is_read) {
      nodes.push_back(member.value);
    }
  }
  for (const Node& node : nodes) {
    const auto found = context.not_understood.find(node);
    if (found != context.not_understood.end()) {
      return gap_at(context, Part::kStatus, node, found->second);
    }
  }
  return std::nullopt;
}

// A body of bytes is not read into an instance, so its schema is not applied.
void add_gaps_of_bytes(const LoadContext& context, const std::vector<MediaTypeObject>& contents,
                       std::vector<Gap>& gaps) {
  for (const MediaTypeObject& content : contents) {
    const auto& schema = content.schema;
    if (content.kind == BodyKind::kBytes && schema && context.state.schemas.is_open(*schema)) {
      gaps.push_back(
          gap_at(context, Part::kBody, content.node, "the schema of the body is not understood"));
    }
  }
}

std::vector<Gap> gaps_of(const LoadContext& context, const Node& node, ObjectKind kind) {
  GapFinder finder(context, Part::kBody);
  finder.look_at(node, kind);
  return finder.take();
}

void find_gaps_of_responses(const LoadContext& context, Operation& operation) {
  const Node responses = operation.node.find("responses");
  operation.status_gap = status_gap(context, operation, responses);
  std::size_t index = 0;
  for (const Member& member : responses.members()) {
    const bool is_read = index < operation.responses.size() &&
                         operation.responses[index].statement == context.statement(member.value);
    if (is_read) {
      Response& response = operation.responses[index];
      response.gaps = gaps_of(context, member.value, ObjectKind::kResponse);
      response.content_gap = content_gap(context, response.node.find("content"));
      add_gaps_of_bytes(context, response.contents, response.gaps);
      ++index;
    }
  }
}

// Calls `visit` with the schemas of an operation's messages.
template <typename Visit>
void each_schema(const Operation& operation, const Visit& visit) {
  const auto visit_all = [&visit](const auto& described) {
    for (const auto& each : described) {
      if (each.schema) {
        visit(*each.schema);
      }
    }
  };
  visit_all(operation.parameters);
  if (operation.body) {
    visit_all(operation.body->contents);
  }
  for (const Response& response : operation.responses) {
    visit_all(response.contents);
    visit_all(response.headers);
  }
}

}  // namespace

bool has_lost_reference(const Operation& operation, const std::vector<bool>& lost_schemas) {
  const auto is_lost = [](const std::vector<Gap>& gaps) {
    return std::ranges::any_of(gaps, &Gap::is_reference);
  };
  bool found =
      is_lost(operation.gaps) || std::ranges::any_of(operation.responses, is_lost, &Response::gaps);
  each_schema(operation, [&](schema::SchemaId id) { found = found || lost_schemas.at(id); });
  return found;
}

void find_gaps(const LoadContext& context, const Node& path_parameters, Operation& operation) {
  GapFinder parameters(context, Part::kQuery);
  const Field& field = *find_field(ObjectKind::kOperation, "parameters");
  for (const Node& list : {path_parameters, operation.node.find("parameters")}) {
    if (list) {
      parameters.look_into(field, list, ObjectKind::kOperation);
    }
  }
  operation.gaps = parameters.take();
  std::ranges::move(gaps_of(context, operation.node.find("requestBody"), ObjectKind::kRequestBody),
                    std::back_inserter(operation.gaps));
  if (operation.body) {
    operation.body->content_gap = content_gap(context, operation.body->node.find("content"));
    add_gaps_of_bytes(context, operation.body->contents, operation.gaps);
  }
  find_gaps_of_responses(context, operation);
}

}  // namespace spec::contract::loading
