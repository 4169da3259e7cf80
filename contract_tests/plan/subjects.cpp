#include "contract_tests/plan/subjects.hpp"

#include "contract_tests/plan/request_plan.hpp"
#include "spec/json/value.hpp"
#include "spec/schema/schema_summary.hpp"
#include "spec/text/ascii.hpp"
#include "spec/text/quote.hpp"

#include <algorithm>
#include <array>
#include <cstdio>
#include <optional>
#include <set>
#include <string_view>
#include <utility>

namespace contract_tests::plan {

using spec::document::Node;

namespace {

constexpr std::string_view kBody = "body";

bool is_body(const spec::document::Member& member) {
  return member.key == kBody && (member.value.is_object() || member.value.is_array());
}

void flatten(const Node& node, const std::string& name, Names& names) {
  for (const auto& member : node.members()) {
    if (!name.empty() && is_body(member)) {
      names.set(name + '.' + std::string(kBody), spec::json::write(member.value.value()));
      continue;
    }
    flatten(member.value,
            name.empty() ? std::string(member.key) : name + '.' + std::string(member.key), names);
  }
  std::size_t index = 0;
  for (const auto& element : node.elements()) {
    flatten(element, name + '.' + std::to_string(index++), names);
  }
  if (node.is_string()) {
    names.set(name, std::string(node.string()));
  } else if (node.is_number()) {
    names.set(name, std::string(node.number_text()));
  } else if (node.is_boolean()) {
    names.set(name, node.boolean() ? "true" : "false");
  }
}

// The subjects of the rules, where these are rules of this contract.
std::string ruled_subjects(const TemplateInput& input) {
  const bool ours = std::ranges::any_of(input.rules.operations, [&](const auto& entry) {
    return input.contract.operation(entry.first) != nullptr;
  });
  std::string text;
  std::string open;  // the group whose members are being written
  for (const auto& subject : input.rules.subjects) {
    const auto dot = subject.name.find('.');
    const auto group = subject.name.substr(0, dot);
    if (!ours || dot == std::string::npos) {
      text += ours ? group + ": " + subject.example + "  # " + subject.is + '\n' : "";
      open.clear();
      continue;
    }
    if (group != open) {
      open = group;
      text += open + ":\n";
    }
    const auto part = subject.name.substr(dot + 1, subject.name.find('.', dot + 1) - dot - 1);
    text += (spec::text::is_all_digits(part) ? "  - " : "  " + part + ": ") + subject.example +
            "  # " + subject.is + '\n';
  }
  return text;
}

// The text in YAML: a plain word, or a JSON string.
std::string in_yaml(const std::string& text) {
  const bool plain = !text.empty() && std::ranges::all_of(text, [](char letter) {
    return spec::text::is_letter_or_digit(letter) || letter == '_' || letter == '-';
  });
  const bool word = plain && spec::text::is_letter(text.front()) &&
                    !spec::text::equals_ignoring_case(text, "null") &&
                    !spec::text::equals_ignoring_case(text, "true") &&
                    !spec::text::equals_ignoring_case(text, "false");
  const bool number = plain && spec::text::is_all_digits(text) && text.front() != '0';
  if (word || number) {
    return text;
  }
  std::string quoted;
  spec::text::append_json_string(quoted, text);
  return quoted;
}

// "query, required: integer, at least 1".
std::string description_of(const spec::contract::Contract& contract,
                           const spec::contract::Parameter& parameter) {
  const bool in_path = parameter.location == spec::contract::Location::kPath;
  std::string text = in_path ? "path" : parameter.required ? "query, required" : "query";
  if (!parameter.schema) {
    return text;
  }
  const auto& seen = contract.summaries().summary_of(*parameter.schema);
  text += seen.is(spec::schema::kIntegerType) ? ": integer"
          : seen.is_number()                  ? ": number"
          : seen.is_boolean()                 ? ": boolean"
                                              : ": string";
  const auto bound = [&text](const char* words, const std::optional<double>& value) {
    std::array<char, 32> number{};
    std::snprintf(number.data(), number.size(), "%.15g", value.value_or(0));
    text += value ? words + std::string(number.data()) : "";
  };
  text += seen.format.empty() ? "" : ", " + std::string(seen.format);
  text += seen.listed.empty() ? "" : ", one of those that the contract lists";
  bound(", at least ", seen.minimum);
  bound(", at most ", seen.maximum);
  return text;
}

// The block of one operation; "" if nothing of it was made up.
std::string block_of(const TemplateInput& input, const spec::contract::Operation& operation) {
  std::string lines;
  std::set<std::string> names;
  bool given = false;
  for (const auto& parameter : operation.parameters) {
    const auto name = operation.id + '.' + parameter.name;
    const auto made_up = input.made_up.find(name);
    const auto found = input.found.find(name);
    // A parameter of the path and one of the query with the same name have one value.
    if (made_up == input.made_up.end() || !names.insert(parameter.name).second) {
      continue;
    }
    const bool is_found = found != input.found.end();
    lines += (is_found ? "  " : "#   ") + in_yaml(parameter.name) + ": " +
             in_yaml(is_found ? found->second : made_up->second) + "  # " +
             description_of(input.contract, parameter) + '\n';
    given = given || is_found;
  }
  if (const auto body = input.bodies.find(operation.id); body != input.bodies.end()) {
    lines += "#   body: " + spec::json::write(body->second) + "  # request body\n";
  }
  return lines.empty() ? ""
                       : "\n# " + operation.name + '\n' + (given ? "" : "# ") +
                             in_yaml(operation.id) + ":\n" + lines;
}

}  // namespace

Names load_subjects(DataFiles& files, const std::filesystem::path& file) {
  Names names;
  flatten(files.read(file, "subjects"), "", names);
  return names;
}

bool is_declared(std::string_view name, const std::vector<Subject>& subjects) {
  const auto point = name.find('.');
  const bool is_element =
      point != std::string_view::npos && spec::text::is_all_digits(name.substr(point + 1));
  return std::ranges::any_of(subjects, [&](const Subject& subject) {
    return subject.name == name ||
           (is_element && subject.name.starts_with(name.substr(0, point + 1)));
  });
}

bool is_of_operation(std::string_view name, const spec::contract::Contract& contract) {
  const auto point = std::min(name.find('.'), name.size());
  const auto* const operation = contract.operation(name.substr(0, point));
  const std::string part(name.substr(std::min(point + 1, name.size())));
  return operation != nullptr &&
         (part == kBody || part.starts_with("body.") ||
          operation->path.find('{' + part + '}') != std::string::npos ||
          std::ranges::find(operation->parameters, part, &spec::contract::Parameter::name) !=
              operation->parameters.end());
}

Bodies load_bodies(DataFiles& files, const std::filesystem::path& file) {
  Bodies bodies;
  for (const auto& operation : files.read(file, "subjects").members()) {
    for (const auto& member : operation.value.members()) {
      if (is_body(member)) {
        bodies[std::string(operation.key)] = member.value.value();
      }
    }
  }
  return bodies;
}

std::string subjects_template(const TemplateInput& input) {
  // With "---" it is a document even where all the rest is comments.
  std::string text = "---\n# Subjects for contract_tests --subjects FILE.\n";
  if (const auto ruled = ruled_subjects(input); !ruled.empty()) {
    text +=
        "# Replace each example with an identifier of the account under test; remove a line to "
        "skip the\n# cases that need it.\n" +
        ruled;
  }
  std::string blocks;
  for (const auto& operation : input.contract.operations()) {
    blocks += block_of(input, operation);
  }
  if (!blocks.empty()) {
    text +=
        "# Values in comments were made up and need not exist: replace them and remove the "
        "\"#\".\n" +
        blocks;
  }
  return text;
}

namespace {

// The position of the part behind the kind ("cus_").
std::size_t own_part(std::string_view value) {
  const auto underscore = value.rfind('_');
  return underscore == std::string_view::npos || underscore + 1 == value.size() ? 0
                                                                                : underscore + 1;
}

std::string cut(std::string_view value) {
  return value.size() < 2 ? unknown_like(value) : std::string(value.substr(0, value.size() - 1));
}

std::string half(std::string_view value) {
  const auto start = own_part(value);
  const auto size = start + (value.size() - start) / 2;
  return size == 0 ? unknown_like(value) : std::string(value.substr(0, size));
}

std::string tail(std::string_view value) {
  const auto first = half(value);
  return first.size() >= value.size() ? unknown_like(value)
                                      : first + unknown_like(value.substr(first.size()));
}

std::string swapped(std::string_view value) {
  const auto text = other_case(value, own_part(value));
  return text == value ? unknown_like(value) : text;
}

std::string third(std::string_view value) {
  const auto size = value.size() / 3;
  return size == 0 ? unknown_like(value) : std::string(value.substr(0, size));
}

// The letters of the kind too.
std::string cased(std::string_view value) {
  const auto text = other_case(value);
  return text == value ? unknown_like(value) : text;
}

std::string basic(std::string_view value) {
  return basic_credentials(std::string(value));
}

std::string bare(std::string_view value) {
  std::string text(value);
  std::erase(text, '-');
  return text == value ? unknown_like(value) : text;
}

std::string itself(std::string_view value) {
  return std::string(value);
}

using Derive = std::pair<std::string_view, std::string (*)(std::string_view)>;

constexpr std::array<Derive, 10> kDerivations{{
    {"unknown.", &unknown_like},
    {"cut.", &cut},
    {"third.", &third},
    {"case.", &cased},
    {"half.", &half},
    {"tail.", &tail},
    {"swapped.", &swapped},
    {"bare.", &bare},
    {"basic.", &basic},
    {"number.", &itself},
}};

}  // namespace

std::string other_case(std::string_view value, std::size_t start) {
  std::string text(value);
  for (auto at = start; at < text.size(); ++at) {
    const char letter = text[at];
    if (spec::text::is_letter(letter)) {
      text[at] = static_cast<char>(letter ^ ' ');
    }
  }
  return text;
}

std::string unknown_like(std::string_view value) {
  std::string text(value);
  std::size_t step = 1;
  for (auto at = own_part(value); at < text.size(); ++at, ++step) {
    const bool digit = spec::text::is_digit(text[at]);
    const bool lower = text[at] >= 'a' && text[at] <= 'f';
    const bool upper = text[at] >= 'A' && text[at] <= 'F';
    if (digit) {
      text[at] =
          static_cast<char>('0' + (static_cast<std::size_t>(text[at] - '0') + step % 9 + 1) % 10);
    } else if (lower || upper) {
      const char first = lower ? 'a' : 'A';
      text[at] = static_cast<char>(first +
                                   (static_cast<std::size_t>(text[at] - first) + step % 5 + 1) % 6);
    }
  }
  if (text == value) {
    text += '0';
  }
  return text;
}

std::optional<Derivation> find_derived(std::string_view name) {
  const auto* way = std::ranges::find_if(
      kDerivations, [name](const Derive& known) { return name.starts_with(known.first); });
  if (way == kDerivations.end()) {
    return std::nullopt;
  }
  return Derivation{name.substr(way->first.size()), way->second};
}

std::string_view subject_of(std::string_view name) {
  const auto derived = find_derived(name);
  return derived ? derived->subject : name;
}

}  // namespace contract_tests::plan
