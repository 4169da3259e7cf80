#include "spec/document/library.hpp"

#include "spec/document/document.hpp"
#include "spec/document/text_file.hpp"
#include "spec/document/tree_builder.hpp"
#include "spec/document/uri.hpp"
#include "spec/json/pointer.hpp"
#include "spec/text/encoding.hpp"
#include "spec/text/names.hpp"
#include "spec/text/quote.hpp"
#include "spec/text/utf8.hpp"

#include <filesystem>
#include <map>
#include <optional>
#include <unordered_map>
#include <utility>

namespace spec::document {
namespace {

namespace fs = std::filesystem;

fs::path absolute_path(const fs::path& path) {
  return fs::absolute(path).lexically_normal();
}

std::string_view without_fragment(std::string_view uri) {
  return uri.substr(0, uri.find('#'));
}

std::string shown(std::string_view text) {
  constexpr std::size_t kMaxShownBytes = 200;
  return text::one_line(text, kMaxShownBytes);
}

// Describes the step `token` that does not exist below `parent`, with the nearest name.
std::string missing_step(const Node& parent, const std::string& token) {
  if (parent.is_array()) {
    return "the array \"" + parent.pointer() + "\" has " + std::to_string(parent.size()) +
           " elements";
  }
  if (!parent.is_object()) {
    return "\"" + parent.pointer() + "\" is neither object nor array";
  }
  std::vector<std::string_view> names;
  for (const Member& member : parent.members()) {
    names.push_back(member.key);
  }
  const std::optional<std::string_view> near = text::nearest(token, names);
  return near ? "did you mean \"" + shown(*near) + "\"?"
              : "\"" + parent.pointer() + "\" has no member \"" + shown(token) + "\"";
}

// A file relative to `folder`; one outside of it by its own folder and name. Reports do not show
// where a machine keeps its files.
std::string relative_name(const fs::path& folder, const fs::path& file) {
  const auto near = file.lexically_relative(folder);
  const bool inside = !near.empty() && *near.begin() != "..";
  return inside ? near.generic_string()
                : (file.parent_path().filename() / file.filename()).generic_string();
}

// The `$self` of an OpenAPI document, resolved; "" if it has none. Source: OpenAPI 3.2.0,
// Establishing the Base URI.
std::string own_uri(const Node& root) {
  const Node version = root.find("openapi");
  const Node self = root.find("$self");
  const bool is_known =
      version.is_string() && version.string().starts_with("3.2") && self.is_string();
  return is_known ? std::string(without_fragment(resolve_uri(base_uri(root), self.string()))) : "";
}

// The URI at which `reference` is looked for where no document calls itself so: as if the documents
// around `from` were retrieved from the folder of its `$self`.
std::string retrieval_uri(const Node& from, std::string_view reference) {
  const std::string& self = from.document().self;
  const std::string_view folder =
      std::string_view(self).substr(0, self.empty() ? 0 : self.rfind('/') + 1);
  const bool is_near = !folder.empty() && reference.starts_with(folder);
  return resolve_uri(base_uri(from), is_near ? reference.substr(folder.size()) : reference);
}

}  // namespace

struct Library::State {
  // Every document that was ever loaded: handles outlive replacement under a URI.
  std::vector<std::unique_ptr<Document>> documents;
  std::unordered_map<std::string, const Document*> by_uri;
  std::unordered_map<std::string, std::vector<Problem>> failures;  // files that did not load
  std::vector<fs::path> files;
  std::vector<fs::path> missing_files;
  std::optional<fs::path> folder;  // of the first file

  Node keep(std::unique_ptr<Document> document) {
    document->shown = folder ? relative_name(*folder, document->name) : document->name;
    documents.push_back(std::move(document));
    Document& kept = *documents.back();
    by_uri.insert_or_assign(kept.uri, &kept);
    kept.self = own_uri(Node(kept, 0));
    if (!kept.self.empty()) {
      by_uri.insert_or_assign(kept.self, &kept);
    }
    return {kept, 0};
  }

  Node open(const fs::path& path, std::string name);
  Node resolve_inside(const Node& from, std::string_view reference) const;
  Node document(const Node& from, std::string_view uri, std::string_view reference);
};

Library::Library() : state_(std::make_unique<State>()) {}

Library::~Library() = default;
Library::Library(Library&&) noexcept = default;
Library& Library::operator=(Library&&) noexcept = default;

Node Library::State::open(const fs::path& path, std::string name) {
  const std::string uri = file_uri(path);
  if (const auto found = by_uri.find(uri); found != by_uri.end()) {
    return {*found->second, 0};
  }
  if (const auto failed = failures.find(uri); failed != failures.end()) {
    throw LoadError(failed->second);
  }
  auto texts = std::make_shared<Texts>();
  auto text = read_file(path);
  if (!text) {
    missing_files.push_back(path);
    throw LoadError(Problem{.file = std::move(name), .pointer = {}, .message = text.error()});
  }
  texts->source = std::move(*text);
  files.push_back(path);
  folder = folder.value_or(fs::path(name).parent_path());
  const Identity identity{.uri = uri, .name = std::move(name)};
  try {
    return keep(path.extension() == ".json" ? load_json(identity, std::move(texts))
                                            : load_either(identity, std::move(texts)));
  } catch (const LoadError& error) {
    failures.emplace(uri, error.problems());
    throw;
  }
}

Node Library::open(const fs::path& path) {
  return state_->open(absolute_path(path), path.lexically_normal().generic_string());
}

Node Library::add(std::string uri, std::string name, std::string_view text, Format format) {
  auto texts = std::make_shared<Texts>();
  texts->source = text;
  uri.resize(without_fragment(uri).size());
  const Identity identity{.uri = std::move(uri), .name = std::move(name)};
  return state_->keep(format == Format::kJson ? load_json(identity, std::move(texts))
                                              : load_yaml(identity, std::move(texts)));
}

namespace {

// Recursion is bounded by kMaxDepth.
void copy_kept(TreeBuilder& builder, const Node& node,
               const std::function<bool(const Node&)>& dropped) {
  const NodeRecord& record = node.document().nodes[node.index()];
  if (!record.is_container()) {
    builder.scalar(record.kind, record.view(), record.spot);
    return;
  }
  builder.begin(record.kind, record.spot);
  for (std::uint32_t i = 0; i < record.size; ++i) {
    const ChildRecord& child = node.document().children[record.first + i];
    const Node value(node.document(), child.node);
    if (dropped(value)) {
      continue;
    }
    if (record.kind == Kind::kObject) {
      builder.key(child.key, child.key_spot);
    }
    copy_kept(builder, value, dropped);
  }
  builder.end();
}

}  // namespace

Node Library::prune(Node root, const std::function<bool(const Node&)>& dropped) {
  const Document& original = root.document();
  TreeBuilder builder(original.uri, original.name, original.texts);
  copy_kept(builder, Node(original, 0), dropped);
  return state_->keep(builder.finish());
}

// The document of `uri`, opened if necessary.
Node Library::State::document(const Node& from, std::string_view uri, std::string_view reference) {
  if (const auto found = by_uri.find(std::string(uri)); found != by_uri.end()) {
    return {*found->second, 0};
  }
  const auto target = file_path(uri);
  if (!target) {
    throw LoadError(
        from.problem("\"" + shown(reference) +
                     "\" is not a file; save that document and refer to it by a relative path"));
  }
  const fs::path path = absolute_path(*target);
  const fs::path referrer = file_path(from.document().uri).value_or("");
  const fs::path its_folder = fs::path(from.document().name).parent_path();
  const fs::path name =
      (its_folder / path.lexically_proximate(absolute_path(referrer).parent_path()))
          .lexically_normal();
  if (const std::string why = obstacle(path); !why.empty()) {
    missing_files.push_back(path);
    throw LoadError(from.problem(why + ": \"" + name.generic_string() + "\", referred to as \"" +
                                 shown(reference) + "\""));
  }
  return open(path, name.generic_string());
}

// Resolves the usual reference, "#/..." without escapes, without parsing URIs; an empty handle for
// any other, or if the node does not exist.
Node Library::State::resolve_inside(const Node& from, std::string_view reference) const {
  if (!reference.starts_with("#/") || reference.find_first_of("%~") != std::string_view::npos) {
    return {};
  }
  const auto current = by_uri.find(from.document().uri);
  if (current == by_uri.end()) {
    return {};
  }
  Node at(*current->second, 0);
  for (std::string_view rest = reference.substr(1); at && !rest.empty();) {
    const std::string_view token = rest.substr(1, rest.find('/', 1) - 1);
    at = step(at, token);
    rest.remove_prefix(1 + token.size());
  }
  return at;
}

Node Library::resolve(const Node& from, std::string_view reference) {
  if (const Node found = state_->resolve_inside(from, reference)) {
    return found;
  }
  const std::string& self = from.document().self;
  std::string uri = resolve_uri(self.empty() ? base_uri(from) : self, reference);
  Node root = find(without_fragment(uri));
  if (!root) {
    uri = retrieval_uri(from, reference);
    root = state_->document(from, without_fragment(uri), reference);
  }
  const auto fragment = text::percent_decode(split_uri(uri).fragment.value_or(""));
  const auto tokens =
      fragment && text::is_utf8(*fragment) ? json::split_pointer(*fragment) : std::nullopt;
  if (!tokens) {
    throw LoadError(from.problem("\"" + shown(reference) +
                                 "\" has no JSON pointer behind its \"#\"; write \"#/...\""));
  }
  Node at = root;
  for (const std::string& token : *tokens) {
    const Node next = step(at, token);
    if (!next) {
      throw LoadError(
          from.problem("no such place: \"" + shown(reference) + "\"; " + missing_step(at, token)));
    }
    at = next;
  }
  return at;
}

Node Library::find(std::string_view uri) const {
  const auto found = state_->by_uri.find(std::string(uri));
  return found == state_->by_uri.end() ? Node() : Node(*found->second, 0);
}

std::vector<fs::path> Library::files() const {
  return state_->files;
}

std::vector<fs::path> Library::missing_files() const {
  return state_->missing_files;
}

std::string_view base_uri(const Node& node) {
  return node.document().uri;
}

}  // namespace spec::document
