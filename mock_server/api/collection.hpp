#pragma once

// Records by key, as fixture folders hold them; later folders replace records. Const after load,
// but for records that are made when the collection is first asked for one: safe from any thread.

#include "spec/document/document.hpp"
#include "spec/document/library.hpp"
#include "spec/schema/schema_summary.hpp"

#include <nlohmann/json.hpp>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

namespace mock_server::api {

struct Record {
  std::string key;
  spec::document::Node node;
  nlohmann::json value;
  std::filesystem::path folder;  // the fixtures folder it came from
};

// The value of `member` for a record without it: its key, the session's time, the value of most
// records, or a given one.
struct Default {
  enum class Kind : std::uint8_t { kKey, kNow, kCommon, kValue };
  std::string member;
  Kind kind = Kind::kValue;
  nlohmann::json value;    // of kValue, and of kCommon once it is known
  bool on_change = false;  // of kNow: set again by each change
  spec::document::Node node;
};

// Records that a collection gets when it is first asked for them.
struct Seeds {
  std::size_t planned = 0;
  std::function<void()> make;  // sets is_made; from any thread
  std::atomic<bool> is_made = false;
  std::string why_none;  // once made: why there are none, "" for some
};

struct Binding;

// Of another one: nested_collection.hpp.
struct NestedCollection {
  const Binding* binding = nullptr;  // lists its records, else makes them
  std::string name;                  // plain: "lineitems" of "/orders/{id}/line-items"
};

class Collection {
 public:
  explicit Collection(std::string name) : name_(std::move(name)) {}

  const std::string& name() const { return name_; }

  // In the order of the first folder that has the key, then of the text.
  const std::vector<Record>& records() const {
    seed();
    return records_;
  }

  // Those that there are; for loading.
  std::vector<Record>& records() { return records_; }

  // The number of records; of those that are to be made yet, how many are planned.
  std::size_t size() const { return is_seeded() ? records_.size() : seeds_->planned; }

  bool is_seeded() const { return seeds_ == nullptr || seeds_->is_made; }

  void set_seeds(std::shared_ptr<Seeds> seeds) { seeds_ = std::move(seeds); }

  // Why it has no records to start with, where it should have some; "" for any other.
  std::string_view why_unseeded() const {
    return seeds_ != nullptr && seeds_->is_made ? seeds_->why_none : why_unseeded_;
  }

  void set_unseeded(std::string why) { why_unseeded_ = std::move(why); }

  // The record's index in records().
  std::optional<std::size_t> find(std::string_view key) const {
    seed();
    return index_of(key);
  }

  // Among those that there are.
  std::optional<std::size_t> index_of(std::string_view key) const;

  // The member in which a record holds its own key; nothing if it has none.
  const std::optional<std::vector<std::string>>& id() const { return id_; }

  void set_id(std::vector<std::string> tokens) { id_ = std::move(tokens); }

  // Keys are unique below the same parents alone: a record's key is "PARENT/KEY".
  bool is_scoped() const { return is_scoped_; }

  void set_scoped(bool is_scoped) { is_scoped_ = is_scoped; }

  // One record, whose key is the collection's name; operations need no key to find it.
  bool is_single() const { return is_single_; }

  void set_single(bool is_single) { is_single_ = is_single; }

  // It gets records to start with; without any, and until a session has changed something in it,
  // operations send the contract's examples.
  bool shows_examples_first() const { return shows_examples_first_; }

  void set_shows_examples_first(bool shows) { shows_examples_first_ = shows; }

  // Its records are listed below others alone, so that a client may not know them all.
  bool is_listed_below() const { return is_listed_below_; }

  void set_listed_below(bool is_below) { is_listed_below_ = is_below; }

  // Some of its records change by themselves, with the session's clock.
  bool advances() const { return advances_; }

  void set_advances(bool advances) { advances_ = advances; }

  const std::vector<NestedCollection>& nested() const { return nested_; }

  void set_nested(std::vector<NestedCollection> nested) { nested_ = std::move(nested); }

  // The schemas of its records in requests; known of one with nested collections.
  const std::vector<spec::schema::Schemas>& sent() const { return sent_; }

  void set_sent(std::vector<spec::schema::Schemas> sent) { sent_ = std::move(sent); }

  const std::vector<Default>& defaults() const { return defaults_; }

  void set_defaults(std::vector<Default> defaults) { defaults_ = std::move(defaults); }

  // Adds the default or replaces the one of the same member.
  void set_default(Default one);

  // Adds the record or replaces the one of the same key.
  void put(Record record);

 private:
  void seed() const {
    if (!is_seeded()) {
      seeds_->make();
    }
  }

  struct Hash {
    using is_transparent = void;

    std::size_t operator()(std::string_view text) const {
      return std::hash<std::string_view>{}(text);
    }
  };

  std::string name_;
  std::optional<std::vector<std::string>> id_;
  bool is_scoped_ = false;
  bool is_single_ = false;
  bool shows_examples_first_ = false;
  bool is_listed_below_ = false;
  bool advances_ = false;
  std::vector<Default> defaults_;
  std::vector<NestedCollection> nested_;
  std::vector<spec::schema::Schemas> sent_;
  std::vector<Record> records_;
  std::shared_ptr<Seeds> seeds_;
  std::string why_unseeded_;
  std::unordered_map<std::string, std::size_t, Hash, std::equal_to<>> by_key_;
};

// The start of a scoped record's key that names one parent: "PARENT/", where "~1" stands for a "/"
// of its own and "~0" for a "~", as in JSON pointers.
std::string parent_part(std::string_view parent);

// A scoped record's key taken apart.
struct ScopedKey {
  std::vector<std::string> parents;  // the outermost first
  std::string own;
};

// The reverse of parent_part(): `key` of a record that has so many parents, or fewer where its key
// names fewer.
ScopedKey split_key(std::string_view key, std::size_t parents);

using Collections = std::map<std::string, Collection, std::less<>>;

// Makes the records of the first collections that have none yet, for lists of all of them: all at
// once would take seconds where a contract is large.
void seed_some(const Collections& collections);

}  // namespace mock_server::api
