#include "spec/document/cursor.hpp"
#include "spec/document/loaders.hpp"
#include "spec/document/tree_builder.hpp"
#include "spec/document/yaml_events.hpp"
#include "spec/document/yaml_scalar.hpp"
#include "spec/json/lexer.hpp"
#include "spec/json/utf8.hpp"

#include <algorithm>
#include <cstring>
#include <unordered_map>
#include <utility>
#include <vector>

namespace spec::document {
namespace {

constexpr std::size_t kMaxNodes = 1'000'000;
constexpr std::string_view kCoreTags = "tag:yaml.org,2002:";
constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";

// What an anchor names: a node or, for the key of a member, only a text.
struct Anchor {
  std::uint32_t node = kNoNode;
  Kind kind = Kind::kString;
  std::string_view text{};
  std::string_view source_text{};  // of a scalar as it was written, for use as a key
  Spot spot;
};

std::string shown_tag(std::string_view tag) {
  return tag.starts_with(kCoreTags) ? "!!" + std::string(tag.substr(kCoreTags.size()))
                                    : std::string(tag.substr(0, 60));
}

class YamlLoader {
 public:
  YamlLoader(const Identity& identity, std::shared_ptr<Texts> texts)
      : builder_(identity.uri, identity.name, std::move(texts)),
        text_(without_mark(builder_.texts().source)),
        cursor_(text_) {}

  std::unique_ptr<Document> load() {
    if (check_characters()) {
      read();
    }
    return builder_.finish();
  }

 private:
  static std::string_view without_mark(std::string_view text) {
    return text.substr(text.starts_with(kByteOrderMark) ? kByteOrderMark.size() : 0);
  }

  // libfyaml ends a text silently at a NUL; YAML allows no other control but tab and line breaks.
  bool check_characters() {
    const std::size_t valid = json::valid_utf8_prefix(text_);
    const auto control = std::find_if(text_.begin(), text_.end(), [](char byte) {
      return static_cast<unsigned char>(byte) < 0x20U && byte != '\n' && byte != '\t' &&
             byte != '\r';
    });
    const std::size_t offset = std::min(valid, static_cast<std::size_t>(control - text_.begin()));
    if (offset == text_.size()) {
      return true;
    }
    builder_.problem(
        Cursor(text_).locate(offset),
        (offset == valid ? "must be UTF-8 but is " : "must be a printable character but is ") +
            json::describe_byte(text_, offset));
    return false;
  }

  void read() {
    YamlEvents events(text_);
    std::size_t documents = 0;
    while (const YamlEvent* event = events.next()) {
      if (event->kind == YamlEventKind::kDocumentStart && ++documents > 1) {
        builder_.problem(cursor_.locate(event->begin.value_or(last_end_)),
                         "must be one document but a second one starts");
        return;
      }
      if (!handle(*event)) {
        return;
      }
      last_end_ = std::max(last_end_, event->end);
    }
    const std::vector<YamlError> errors = events.errors();
    for (const YamlError& error : errors) {
      builder_.problem({.line = error.line, .column = error.column},
                       "must be YAML but is not: " + error.message);
    }
    if (errors.empty() && documents == 0) {
      builder_.problem({}, "must hold a value but is empty");
    }
  }

  // False when reading on makes no sense.
  bool handle(const YamlEvent& event) {
    switch (event.kind) {
      case YamlEventKind::kDocumentStart: check_version(event); return true;
      case YamlEventKind::kDocumentEnd: return true;
      case YamlEventKind::kScalar: scalar(event); return true;
      case YamlEventKind::kAlias: return alias(event);
      case YamlEventKind::kMappingStart: return begin(event, Kind::kObject);
      case YamlEventKind::kSequenceStart: return begin(event, Kind::kArray);
      case YamlEventKind::kMappingEnd:
      case YamlEventKind::kSequenceEnd: end(); return true;
    }
    return false;
  }

  void check_version(const YamlEvent& event) {
    if (!event.version.empty() && event.version != "1.2") {
      builder_.problem(cursor_.locate(event.begin.value_or(0)),
                       "must be YAML 1.2 but its %YAML directive says " + event.version);
    }
  }

  // Marks lie inside the quotes, and a block scalar's lies after its header.
  Spot place(const YamlEvent& event) {
    if (!event.begin) {
      return empty_place();
    }
    if (event.kind == YamlEventKind::kScalar && event.style == YamlStyle::kQuoted) {
      return cursor_.locate(*event.begin - 1);
    }
    if (event.kind == YamlEventKind::kScalar && event.style == YamlStyle::kBlock) {
      return cursor_.locate(block_header(*event.begin));
    }
    return cursor_.locate(*event.begin);
  }

  // An empty value stands where its key does; an empty element, at its dash.
  Spot empty_place() {
    if (expects_value()) {
      return key_spot_;
    }
    return cursor_.locate(skip_to_text(last_end_));
  }

  std::size_t skip_to_text(std::size_t at) const {
    while (at < text_.size()) {
      if (text_[at] == '#') {
        at = std::min(text_.find_first_of("\r\n", at), text_.size());
      } else if (std::strchr(" \t\r\n", text_[at]) != nullptr) {
        ++at;
      } else {
        break;
      }
    }
    return at;
  }

  std::size_t block_header(std::size_t content) const {
    for (std::size_t at = last_end_; at < content; ++at) {
      const bool apart = at == 0 || std::strchr(" \t\r\n", text_[at - 1]) != nullptr;
      if (apart && (text_[at] == '|' || text_[at] == '>')) {
        return at;
      }
    }
    return content;
  }

  bool in_mapping() const { return !in_mapping_.empty() && in_mapping_.back() != Expect::kElement; }

  bool expects_key() const { return !in_mapping_.empty() && in_mapping_.back() == Expect::kKey; }

  bool expects_value() const {
    return !in_mapping_.empty() && in_mapping_.back() == Expect::kValue;
  }

  // After a complete value: the next thing in a mapping is a key.
  void value_done() {
    if (expects_value()) {
      in_mapping_.back() = Expect::kKey;
    }
  }

  void key(std::string_view name, Spot spot, bool merge) {
    key_spot_ = spot;
    builder_.key(name, spot, merge);
    in_mapping_.back() = Expect::kValue;
  }

  void scalar(const YamlEvent& event) {
    const Spot spot = place(event);
    Anchor meaning = resolve(event, spot);
    if (expects_key()) {
      const bool merge =
          meaning.source_text == "<<" && event.style == YamlStyle::kPlain && !event.tag;
      key(meaning.source_text, spot, merge);
    } else {
      meaning.node = builder_.scalar(meaning.kind, meaning.text, spot);
      value_done();
    }
    if (event.anchor) {
      anchors_.insert_or_assign(std::string(*event.anchor), meaning);
    }
  }

  // A view of the source where the scalar is spelled there as it reads, else a copy.
  std::string_view keep(const YamlEvent& event) {
    const std::size_t size = event.text.size();
    if (event.begin && *event.begin + size <= text_.size() &&
        text_.compare(*event.begin, size, event.text) == 0) {
      return text_.substr(*event.begin, size);
    }
    return builder_.texts().keep(event.text);
  }

  Anchor resolve(const YamlEvent& event, Spot spot) {
    const std::string_view source = keep(event);
    Anchor result{.text = source, .source_text = source, .spot = spot};
    const bool core = event.tag && event.tag->starts_with(kCoreTags);
    const std::string_view tag = core ? event.tag->substr(kCoreTags.size()) : std::string_view();
    const bool is_text = (!event.tag && event.style != YamlStyle::kPlain) || tag == "str" ||
                         (event.tag && *event.tag == "!");
    if (is_text) {
      return result;
    }
    Scalar scalar = resolve_plain(source);
    if (event.tag && !fits_tag(tag, scalar)) {
      builder_.problem(spot, tag_problem(*event.tag, core, source));
      return result;
    }
    if (!scalar.problem.empty() && !expects_key()) {
      builder_.problem(spot, std::move(scalar.problem));
    }
    result.kind = scalar.kind;
    if (scalar.kind == Kind::kNumber || scalar.kind == Kind::kBoolean) {
      result.text = scalar.text == source ? source : builder_.texts().keep(scalar.text);
    }
    return result;
  }

  static bool fits_tag(std::string_view tag, const Scalar& scalar) {
    const bool number = scalar.kind == Kind::kNumber || !scalar.problem.empty();
    return (tag == "null" && scalar.kind == Kind::kNull) ||
           (tag == "bool" && scalar.kind == Kind::kBoolean) || (tag == "float" && number) ||
           (tag == "int" && number && scalar.text.find_first_of(".eE") == std::string::npos);
  }

  static std::string tag_problem(std::string_view tag, bool core, std::string_view value) {
    constexpr std::string_view kScalars[] = {"null", "bool", "int", "float"};
    const bool known = core && std::find(std::begin(kScalars), std::end(kScalars),
                                         tag.substr(kCoreTags.size())) != std::end(kScalars);
    if (known) {
      return "must be " + shown_tag(tag) + " but is " + std::string(value.substr(0, 60));
    }
    return "must be a tag of the core schema (!!str, !!int, !!float, !!bool, !!null, !!map, "
           "!!seq) but is " +
           shown_tag(tag);
  }

  bool begin(const YamlEvent& event, Kind kind) {
    const Spot spot = place(event);
    if (expects_key()) {
      builder_.problem(spot, kind == Kind::kObject ? "must be a scalar key but is a mapping"
                                                   : "must be a scalar key but is a sequence");
      return false;
    }
    if (builder_.depth() == kMaxDepth) {
      builder_.problem(spot, "must be nested at most 128 deep but is deeper");
      return false;
    }
    const std::string_view own = kind == Kind::kObject ? "map" : "seq";
    if (event.tag && *event.tag != "!" && *event.tag != std::string(kCoreTags).append(own)) {
      builder_.problem(spot, "must be " + std::string(kind == Kind::kObject ? "!!map" : "!!seq") +
                                 " but is tagged " + shown_tag(*event.tag));
    }
    const std::uint32_t node = builder_.begin(kind, spot);
    in_mapping_.push_back(kind == Kind::kObject ? Expect::kKey : Expect::kElement);
    if (event.anchor) {
      anchors_.insert_or_assign(std::string(*event.anchor),
                                Anchor{.node = node, .kind = kind, .spot = spot});
    }
    return true;
  }

  void end() {
    builder_.end();
    in_mapping_.pop_back();
    value_done();
  }

  bool alias(const YamlEvent& event) {
    const std::size_t star = event.begin.value_or(last_end_);
    const Spot spot = cursor_.locate(star == 0 ? 0 : star - 1);
    const auto found = anchors_.find(std::string(event.text));
    if (found == anchors_.end()) {
      builder_.problem(spot, "must name an anchor above it but no &" +
                                 std::string(event.text.substr(0, 60)) + " stands there");
      return false;
    }
    const Anchor& anchor = found->second;
    const bool container = anchor.kind == Kind::kObject || anchor.kind == Kind::kArray;
    if (expects_key()) {
      if (container) {
        builder_.problem(spot, "must be a scalar key but is an alias of a collection");
        return false;
      }
      key(anchor.source_text, spot, false);
      return true;
    }
    if (container && builder_.is_open(anchor.node)) {
      builder_.problem(spot, "must name a finished node but names one that it is inside");
      return false;
    }
    const bool copied = container ? copy(anchor.node, spot)
                                  : (builder_.scalar(anchor.kind, anchor.text, anchor.spot), true);
    value_done();
    return copied;
  }

  // Copies a finished subtree to where the alias `spot` stands; places stay those of the anchor's
  // text. Recursion is bounded by kMaxDepth, work by kMaxNodes.
  bool copy(std::uint32_t source, Spot spot) {
    const NodeRecord node = builder_.document().nodes[source];
    if (builder_.node_count() >= kMaxNodes) {
      builder_.problem(spot, "must be at most 1000000 nodes but aliases expand to more");
      return false;
    }
    if (!node.is_container()) {
      builder_.scalar(node.kind, node.view(), node.spot);
      return true;
    }
    if (builder_.depth() == kMaxDepth) {
      builder_.problem(spot, "must be nested at most 128 deep but aliases nest deeper");
      return false;
    }
    builder_.begin(node.kind, node.spot);
    for (std::uint32_t i = 0; i < node.size; ++i) {
      const ChildRecord child = builder_.document().children[node.first + i];
      if (node.kind == Kind::kObject) {
        builder_.key(child.key, child.key_spot);
      }
      if (!copy(child.node, spot)) {
        return false;
      }
    }
    builder_.end();
    return true;
  }

  enum class Expect : std::uint8_t { kKey, kValue, kElement };

  TreeBuilder builder_;
  std::string_view text_;
  Cursor cursor_;
  std::vector<Expect> in_mapping_;  // for each open container, what comes next in it
  std::unordered_map<std::string, Anchor> anchors_;
  Spot key_spot_;
  std::size_t last_end_ = 0;
};

}  // namespace

std::unique_ptr<Document> load_yaml(const Identity& identity, std::shared_ptr<Texts> texts) {
  return YamlLoader(identity, std::move(texts)).load();
}

}  // namespace spec::document
