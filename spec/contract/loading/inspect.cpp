#include "spec/contract/loading/inspect.hpp"

#include "spec/document/document.hpp"
#include "spec/text/names.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <deque>
#include <string>
#include <utility>

namespace spec::contract::loading {

namespace {

using document::Member;
using document::Node;

std::string_view name_of(document::Kind kind) {
  switch (kind) {
    case document::Kind::kNull: return "null";
    case document::Kind::kBoolean: return "a boolean";
    case document::Kind::kNumber: return "a number";
    case document::Kind::kString: return "a string";
    case document::Kind::kArray: return "an array";
    case document::Kind::kObject: return "an object";
  }
  return "";
}

bool is_extension(std::string_view name) {
  return name.starts_with("x-");
}

// True if a text does not affect messages, or means the same without quotes.
bool is_prose(const Field& field, ObjectKind owner) {
  static constexpr std::array<std::string_view, 10> kProse{
      "title", "version",      "description", "summary", "termsOfService",
      "email", "bearerFormat", "identifier",  "parent",  "kind"};
  static constexpr std::array kNamed{ObjectKind::kTag, ObjectKind::kContact, ObjectKind::kLicense,
                                     ObjectKind::kServer};
  return std::ranges::find(kProse, field.name) != kProse.end() ||
         (field.name == "name" && std::ranges::find(kNamed, owner) != kNamed.end()) ||
         (field.name == "default" && owner == ObjectKind::kServerVariable);
}

class Inspector {
 public:
  Inspector(document::Library& library, Version version) : library_(library), version_(version) {}

  Inspection run(const Node& root) {
    expect(root, ObjectKind::kRoot);
    while (!queue_.empty()) {
      const TypedNode next = queue_.front();
      queue_.pop_front();
      visit(next);
    }
    return std::move(result_);
  }

 private:
  void expect(const Node& node, ObjectKind kind) {
    if (kind == ObjectKind::kAny) {
      return;
    }
    const std::uint32_t bit = std::uint32_t{1} << static_cast<unsigned>(kind);
    std::uint32_t& seen = seen_.at(node);
    if ((seen & bit) == 0) {
      seen |= bit;
      queue_.push_back({node, kind, {}});
    }
  }

  void visit(TypedNode typed) {
    const Node& node = typed.node;
    const bool is_boolean_schema = typed.kind == ObjectKind::kSchema && node.is_boolean();
    if (!node.is_object()) {
      if (is_boolean_schema) {
        result_.objects.push_back(typed);
      } else if (typed.kind != ObjectKind::kSchema) {  // the schema compiler reports its own
        report(node, "must be " + std::string(name_of(typed.kind)) + ", but is " +
                         std::string(name_of(node.kind())));
      }
      return;
    }
    const auto reference =
        may_be_reference(typed.kind, version_) ? reference_in(node) : std::nullopt;
    if (reference) {
      visit_reference(typed, *reference);
    }
    result_.objects.push_back(typed);
    const bool stands_for_itself = !reference || typed.kind == ObjectKind::kPathItem ||
                                   (typed.kind == ObjectKind::kSchema && version_ != Version::k30);
    if (stands_for_itself) {
      visit_members(typed);
    }
  }

  void visit_reference(TypedNode& typed, std::string_view reference) {
    try {
      // Schemas and path items are followed one step: each has fields of its own.
      const bool is_one_step =
          typed.kind == ObjectKind::kSchema || typed.kind == ObjectKind::kPathItem;
      typed.target =
          is_one_step ? library_.resolve(typed.node, reference) : follow(library_, typed.node);
      expect(typed.target, typed.kind);
    } catch (const LoadError& error) {
      // The schema compiler resolves, or rejects, references by anchor or under an $id.
      if (typed.kind != ObjectKind::kSchema) {
        result_.findings.report(error);
        result_.findings.not_understood.try_emplace(typed.node, error.problems().front().message);
      }
    }
    warn_of_siblings(typed);
  }

  // The siblings of $ref in a Reference Object are ignored. Source: OpenAPI 3.1.0 §4.8.23, 3.0.3
  // §4.7.23.
  void warn_of_siblings(const TypedNode& typed) {
    if (typed.kind == ObjectKind::kPathItem || typed.kind == ObjectKind::kSchema) {
      return;
    }
    for (const Member& member : typed.node.members()) {
      const bool is_described =
          version_ != Version::k30 && (member.key == "summary" || member.key == "description");
      if (member.key != "$ref" && !is_described && !is_extension(member.key)) {
        warn(member.problem("\"" + std::string(member.key) + "\" is ignored beside \"$ref\""));
      }
    }
  }

  void visit_members(const TypedNode& typed) {
    for (const Member& member : typed.node.members()) {
      const Field* field = find_field(typed.kind, member.key);
      const bool is_name = field != nullptr && field->name == "*";
      if (is_extension(member.key) && (field == nullptr || is_name)) {
        continue;
      }
      if (field == nullptr) {
        warn_of_unknown(typed, member);
        continue;
      }
      if (field->since > version_) {
        warn_of_later(typed, member, field->since);
        continue;
      }
      visit_field(*field, member.value, typed.kind);
    }
    for (const Field& field : fields_of(typed.kind)) {
      if (field.is_needed && version_ <= field.needed_until && !typed.node.find(field.name)) {
        report(typed.node, "missing \"" + std::string(field.name) + "\", which is required in " +
                               std::string(name_of(typed.kind)));
        if (field.name == "description") {
          result_.findings.not_understood.erase(typed.node);  // it is read all the same
        }
      }
    }
  }

  void visit_field(const Field& field, const Node& value, ObjectKind owner) {
    switch (field.form) {
      case FieldForm::kAny: return;
      case FieldForm::kText: return expect_text(field, value, owner);
      case FieldForm::kFlag: return expect_kind(value, document::Kind::kBoolean);
      case FieldForm::kNumber: return expect_kind(value, document::Kind::kNumber);
      case FieldForm::kOne: return expect(value, field.kind);
      case FieldForm::kList:
        if (owner != ObjectKind::kSchema) {
          expect_kind(value, document::Kind::kArray);
        }
        for (const Node& element : value.elements()) {
          expect(element, field.kind);
        }
        return;
      case FieldForm::kMap:
        if (owner != ObjectKind::kSchema) {
          expect_kind(value, document::Kind::kObject);
        }
        for (const Member& member : value.members()) {
          expect(member.value, field.kind);
        }
    }
  }

  // YAML takes `version: 1.0` for a number and `description:` for null: in fields for readers that
  // does no harm.
  void expect_text(const Field& field, const Node& value, ObjectKind owner) {
    if (!value.is_string() && !value.is_array() && !value.is_object() && is_prose(field, owner)) {
      result_.findings.add_violation(
          value, "must be a string (quote it), but is " + std::string(name_of(value.kind())));
      return;
    }
    expect_kind(value, document::Kind::kString);
  }

  void expect_kind(const Node& value, document::Kind kind) {
    if (value.kind() != kind) {
      report(value, "must be " + std::string(name_of(kind)) + ", but is " +
                        std::string(name_of(value.kind())));
    }
  }

  // spec/schema reports odd keywords of schemas (SchemaSet::hints).
  void warn_of_later(const TypedNode& typed, const Member& member, Version since) {
    if (typed.kind != ObjectKind::kSchema) {
      warn(member.problem("\"" + std::string(member.key) + "\" is new in OpenAPI " +
                          (since == Version::k31 ? "3.1" : "3.2") + " and is ignored"));
    }
  }

  void warn_of_unknown(const TypedNode& typed, const Member& member) {
    if (typed.kind == ObjectKind::kSchema) {
      return;
    }
    std::vector<std::string_view> known;
    for (const Field& field : fields_of(typed.kind)) {
      known.push_back(field.name);
    }
    warn(member.problem("\"" + std::string(member.key) + "\" is not a field of " +
                        std::string(name_of(typed.kind)) + " and is ignored" +
                        text::did_you_mean(member.key, known)));
  }

  void report(const Node& node, std::string message) {
    result_.findings.report(node, std::move(message));
  }

  void warn(Problem problem) { result_.findings.warnings.push_back(std::move(problem)); }

  document::Library& library_;
  Version version_;
  Inspection result_;
  std::deque<TypedNode> queue_;
  // A bit for each kind: the same text may be read as two (a file as a schema and as a path item).
  static_assert(static_cast<unsigned>(ObjectKind::kXml) < 32);
  document::NodeTable<std::uint32_t> seen_{0};
};

}  // namespace

void Findings::report(const Node& node, std::string message) {
  not_understood.try_emplace(node, message);
  problems.push_back(node.problem(std::move(message)));
}

void Findings::report(const LoadError& error) {
  problems.insert(problems.end(), error.problems().begin(), error.problems().end());
}

void Findings::warn(const Node& node, std::string message) {
  warnings.push_back(node.problem(std::move(message)));
}

void Findings::add_violation(const Node& node, std::string message) {
  openapi_violations.push_back(node.problem(std::move(message)));
}

Inspection inspect(document::Library& library, const document::Node& root, Version version) {
  return Inspector(library, version).run(root);
}

document::Node follow(document::Library& library, document::Node node) {
  const document::Node start = node;
  for (int step = 0; step < kMaxReferences; ++step) {
    const auto reference = reference_in(node);
    if (!reference) {
      return node;
    }
    node = library.resolve(node, *reference);
  }
  throw LoadError(start.problem("circular reference: this $ref leads back to itself"));
}

std::optional<std::string_view> reference_in(const document::Node& node) {
  const document::Node reference = node.find("$ref");
  return reference.is_string() ? std::optional(reference.string()) : std::nullopt;
}

}  // namespace spec::contract::loading
