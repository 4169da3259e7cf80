#include "spec/document/text_file.hpp"
#include "spec/document/tree_builder.hpp"
#include "spec/document/yaml_events.hpp"
#include "spec/document/yaml_scalar.hpp"
#include "spec/json/events.hpp"
#include "spec/text/quote.hpp"
#include "spec/text/utf8.hpp"

#include <algorithm>
#include <unordered_map>
#include <utility>
#include <vector>

namespace spec::document {
namespace {

constexpr std::size_t kMaxNodes = 1'000'000;
constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";

// The node that an anchor names: a finished or open collection by its index, a scalar by its value,
// since a key is no node.
struct Anchor {
  Kind kind = Kind::kString;
  std::uint32_t node = kNoNode;
  std::string_view text{};     // of a scalar
  std::string_view written{};  // of a scalar, for use as a key
  Spot spot{};

  bool is_collection() const { return kind == Kind::kObject || kind == Kind::kArray; }
};

// Turns YAML events into a tree: keys, merges, anchors and limits. A problem after which the text
// can still be followed does not stop it.
class YamlLoader {
 public:
  YamlLoader(const Identity& identity, std::shared_ptr<Texts> texts)
      : builder_(identity.uri, identity.name, std::move(texts)),
        text_(without_mark(builder_.texts().source)) {}

  std::unique_ptr<Document> load() {
    if (check_characters()) {
      read();
    }
    return builder_.finish();
  }

 private:
  enum class Expect : std::uint8_t { kKey, kValue, kElement };

  static std::string_view without_mark(std::string_view text) {
    return text.substr(text.starts_with(kByteOrderMark) ? kByteOrderMark.size() : 0);
  }

  // YAML allows no control of ASCII but tab and line breaks (§5.1).
  bool check_characters() {
    const std::size_t valid = text::valid_utf8_prefix(text_);
    const auto control = std::find_if(text_.begin(), text_.end(), [](char byte) {
      return static_cast<unsigned char>(byte) < 0x20U && byte != '\n' && byte != '\t' &&
             byte != '\r';
    });
    const auto unprintable = static_cast<std::size_t>(control - text_.begin());
    const std::size_t reserved = text_.find(kStandInBytes);
    const std::size_t offset = std::min({valid, unprintable, reserved});
    if (offset == text_.size()) {
      return true;
    }
    const std::string byte = text::describe_byte(text_, offset);
    builder_.problem(Cursor(text_).locate(offset),
                     offset == valid ? "invalid UTF-8 (" + byte + "); save the file as UTF-8"
                     : offset == unprintable
                         ? "control characters are not allowed (" + byte + ")"
                         : "the private characters U+10F000 to U+10FFFF are not supported");
    return false;
  }

  void read() {
    YamlEvents events(text_);
    while (const YamlEvent* event = events.next()) {
      if (!handle(*event)) {
        return;
      }
    }
    if (const auto error = events.error()) {
      builder_.problem(error->spot, "not valid YAML: " + error->message);
    } else if (documents_ == 0) {
      builder_.problem({}, "the document is empty");
    }
  }

  // False when reading on makes no sense.
  bool handle(const YamlEvent& event) {
    switch (event.kind) {
      case YamlEventKind::kDocumentStart: return document(event);
      case YamlEventKind::kDocumentEnd: return true;
      case YamlEventKind::kScalar: return scalar(event);
      case YamlEventKind::kAlias: return alias(event);
      case YamlEventKind::kMappingStart: return begin(event, Kind::kObject);
      case YamlEventKind::kSequenceStart: return begin(event, Kind::kArray);
      case YamlEventKind::kMappingEnd:
      case YamlEventKind::kSequenceEnd: end(); return true;
    }
    return false;
  }

  bool document(const YamlEvent& event) {
    if (++documents_ > 1) {
      return stop(event.spot, "a second document starts here; one file holds one document");
    }
    if (!event.version.empty() && event.version != "1.2") {
      builder_.problem(event.spot, "YAML " + event.version +
                                       " is not supported; write %YAML 1.2, or leave the line out");
    }
    return true;
  }

  // Notes a problem with the scalar or collection that comes next, or with the key that it would
  // be.
  void report(Spot spot, std::string message) {
    builder_.problem(spot, std::move(message),
                     expects(Expect::kKey) ? builder_.container() : builder_.next_node());
  }

  // Notes a problem after which the text cannot be followed.
  bool reject(Spot spot, std::string message) {
    builder_.problem(spot, std::move(message), builder_.container());
    return false;
  }

  // Notes that a limit was reached; the place in the tree does not matter.
  bool stop(Spot spot, std::string message) {
    builder_.problem(spot, std::move(message));
    return false;
  }

  bool expects(Expect what) const { return !expected_.empty() && expected_.back() == what; }

  void value_done() {
    if (expects(Expect::kValue)) {
      expected_.back() = Expect::kKey;
    }
  }

  void key(std::string_view name, Spot spot, bool merge) {
    key_spot_ = spot;
    builder_.key(name, spot, merge);
    expected_.back() = Expect::kValue;
  }

  // An empty value is where its key is, an empty element where its dash is.
  Spot place(const YamlEvent& event) {
    if (!event.is_plain || !event.text.empty() || event.tag || event.anchor) {
      return event.spot;
    }
    if (expects(Expect::kValue)) {
      return key_spot_;
    }
    return {.line = event.spot.line,
            .column = event.spot.column - (expects(Expect::kElement) ? 1U : 0U)};
  }

  bool scalar(const YamlEvent& event) {
    const Spot spot = place(event);
    if (expects(Expect::kKey) && event.is_plain && event.text.empty() && !event.tag) {
      return reject(spot, "this key is empty: write \"\" if that is meant; an anchor takes no ':'");
    }
    const Anchor meaning = resolve(event, spot);
    if (expects(Expect::kKey)) {
      const bool plain = event.is_plain && !event.tag;
      key(meaning.written, spot, plain && meaning.written == "<<");
    } else {
      builder_.scalar(meaning.kind, meaning.text, spot);
      value_done();
    }
    if (event.anchor) {
      anchors_.insert_or_assign(std::string(*event.anchor), meaning);
    }
    return true;
  }

  Anchor resolve(const YamlEvent& event, Spot spot) {
    if (!event.problem.empty()) {
      report(spot, event.problem);
    }
    const std::string_view written = builder_.texts().keep(event.text);
    Scalar scalar = resolve_scalar(written, event.is_plain, event.tag);
    // Any scalar can be a key as it is written; only its tag can be wrong.
    if (!scalar.problem.empty() && (!expects(Expect::kKey) || event.tag)) {
      report(spot, std::move(scalar.problem));
    }
    const bool translated = scalar.kind == Kind::kNumber || scalar.kind == Kind::kBoolean;
    const bool same = !translated || scalar.text == written;
    return {.kind = scalar.kind,
            .text = same ? written : builder_.texts().keep(scalar.text),
            .written = written,
            .spot = spot};
  }

  bool begin(const YamlEvent& event, Kind kind) {
    const Spot spot = place(event);
    if (expects(Expect::kKey)) {
      return reject(
          spot, kind == Kind::kObject ? "a key cannot be a mapping" : "a key cannot be a sequence");
    }
    if (builder_.depth() == kMaxDepth) {
      return stop(spot, "nested deeper than 128 levels");
    }
    if (std::string wrong = collection_tag_problem(kind, event.tag); !wrong.empty()) {
      report(spot, std::move(wrong));
    }
    const std::uint32_t node = builder_.begin(kind, spot);
    expected_.push_back(kind == Kind::kObject ? Expect::kKey : Expect::kElement);
    if (event.anchor) {
      anchors_.insert_or_assign(std::string(*event.anchor),
                                Anchor{.kind = kind, .node = node, .spot = spot});
    }
    return true;
  }

  void end() {
    builder_.end();
    expected_.pop_back();
    value_done();
  }

  bool alias(const YamlEvent& event) {
    const Spot spot = place(event);
    const auto found = anchors_.find(std::string(event.text));
    if (found == anchors_.end()) {
      return reject(spot,
                    "there is no anchor &" + text::one_line(event.text, 60) + " above this alias");
    }
    const Anchor& anchor = found->second;
    if (expects(Expect::kKey)) {
      if (anchor.is_collection()) {
        return reject(spot, "a key cannot be an alias of a mapping or sequence");
      }
      key(anchor.written, spot, false);
      return true;
    }
    if (!anchor.is_collection()) {
      builder_.scalar(anchor.kind, anchor.text, anchor.spot);
    } else if (builder_.is_open(anchor.node)) {
      return reject(spot, "this alias is inside the node that it repeats");
    } else if (!copy(anchor.node, spot)) {
      return false;
    }
    value_done();
    return true;
  }

  // Copies a finished subtree to where the alias at `spot` is; its places stay those of the
  // anchor's text. Recursion is bounded by kMaxDepth, work by kMaxNodes.
  bool copy(std::uint32_t source, Spot spot) {
    const NodeRecord node = builder_.document().nodes[source];
    if (builder_.next_node() >= kMaxNodes) {
      return stop(spot, "aliases expand to more than 1000000 nodes");
    }
    if (!node.is_container()) {
      builder_.scalar(node.kind, node.view(), node.spot);
      return true;
    }
    if (builder_.depth() == kMaxDepth) {
      return stop(spot, "aliases nest deeper than 128 levels");
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

  TreeBuilder builder_;
  std::string_view text_;
  std::vector<Expect> expected_;  // for each open collection, what comes next in it
  std::unordered_map<std::string, Anchor> anchors_;
  Spot key_spot_;
  std::size_t documents_ = 0;
};

}  // namespace

std::unique_ptr<Document> load_yaml(const Identity& identity, std::shared_ptr<Texts> texts) {
  auto document = YamlLoader(identity, texts).load();
  texts->source = {};  // every scalar was copied
  return document;
}

}  // namespace spec::document
