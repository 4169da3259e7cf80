// YAML and JSON texts to documents, and to contracts if they are descriptions: nothing crashes,
// every problem has a place in the text, every node of a document has one too and is found again by
// its pointer, and a JSON text means the same to the document loader and to the reader of messages.

#include "spec/contract/loading/load_contract.hpp"
#include "spec/document/document.hpp"
#include "spec/document/library.hpp"
#include "spec/json/read.hpp"
#include "spec/json/value.hpp"
#include "spec/text/utf8.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <optional>
#include <string>
#include <string_view>

namespace {

using spec::document::Format;
using spec::document::Library;
using spec::document::Node;

// Aliases may expand a short text to a million nodes: checking each by pointer would be quadratic.
constexpr std::size_t kMaxChecked = 2000;

void demand(bool kept) {
  if (!kept) {
    std::abort();
  }
}

std::size_t line_count(std::string_view text) {
  return 2U + static_cast<std::size_t>(std::count_if(text.begin(), text.end(), [](char byte) {
           return byte == '\n' || byte == '\r';
         }));
}

void check_place(const spec::document::Place& place, std::string_view text) {
  demand(place.line >= 1 && place.line <= line_count(text));
  demand(place.column >= 1 && place.column <= text.size() + 1);
}

void check_node(Library& library, const Node& node, std::string_view text, std::size_t& budget) {
  if (budget == 0) {
    return;
  }
  --budget;
  check_place(node.place(), text);
  for (const spec::document::Member& member : node.members()) {
    demand(node.find(member.key) == member.value && member.value.parent() == node);
    demand(member.value.key() == member.key);
    check_place(member.key_place, text);
    check_node(library, member.value, text, budget);
  }
  for (std::size_t i = 0; i < node.size() && node.is_array(); ++i) {
    demand(node.at(i).parent() == node && node.at(i).key() == std::to_string(i));
    check_node(library, node.at(i), text, budget);
  }
}

std::optional<Node> load(Library& library, std::string_view text, Format format) {
  try {
    return library.add("fuzz:text", "text", text, format);
  } catch (const spec::LoadError& error) {
    demand(!error.problems().empty());
    for (const spec::Problem& problem : error.problems()) {
      demand(problem.line >= 1 && problem.column >= 1);
      demand(!problem.message.empty() && spec::text::is_utf8(problem.message));
    }
    return std::nullopt;
  }
}

void load_as_contract(std::string_view text) {
  try {
    spec::contract::load_contract_text(text, "text", {.tolerate = true});
  } catch (const spec::LoadError& error) {
    demand(!error.problems().empty());
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  if (text.find("openapi") != std::string_view::npos) {
    load_as_contract(text);
  }
  for (const Format format : {Format::kYaml, Format::kJson}) {
    Library library;
    const auto root = load(library, text, format);
    if (root) {
      std::size_t budget = kMaxChecked;
      check_node(library, *root, text, budget);
      const auto written = spec::json::write(root->value());
      const auto again = spec::json::read(written);
      demand(again && spec::json::equal(*again, root->value()));
    }
    if (format == Format::kJson) {
      const auto value = spec::json::read(text);
      demand(value.has_value() == root.has_value());
      demand(!root || spec::json::equal(root->value(), *value));
    }
  }
  return 0;
}
