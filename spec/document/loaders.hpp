#pragma once

// The two readers of documents. Each throws LoadError with every problem that it finds.

#include "spec/document/tree.hpp"
#include "spec/json/read.hpp"

#include <memory>
#include <optional>
#include <string>

namespace spec::document {

// The names of a document: the base of its references and the file that its places print.
struct Identity {
  std::string uri;
  std::string name;
};

// RFC 8259, by the tokenizer of spec/json; a byte order mark is rejected.
std::unique_ptr<Document> load_json(const Identity& identity, std::shared_ptr<Texts> texts);

// YAML 1.2, core schema; also merge keys. One document, no other tags than the core schema's.
std::unique_ptr<Document> load_yaml(const Identity& identity, std::shared_ptr<Texts> texts);

// By content: JSON where the text is JSON, or starts like it and gets further as JSON than as
// YAML; else YAML.
std::unique_ptr<Document> load_either(const Identity& identity, std::shared_ptr<Texts> texts);

}  // namespace spec::document
