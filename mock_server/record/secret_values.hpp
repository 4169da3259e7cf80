#pragma once

// Which values are secret: by the names of their places, because they came up in such a place
// before, and by their form. Used by Redactor, which keeps bodies valid. Not safe from several
// threads.

#include "mock_server/record/secret_key.hpp"
#include "spec/contract/contract.hpp"
#include "spec/http/message.hpp"
#include "spec/schema/validator/validate.hpp"

#include <nlohmann/json_fwd.hpp>

#include <bitset>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace mock_server::record {

struct TextHash {
  using is_transparent = void;

  std::size_t operator()(std::string_view text) const {
    return std::hash<std::string_view>{}(text);
  }
};

// The values of short texts that came up last: requests repeat their names and credentials.
template <typename Value>
class Memo {
 public:
  template <typename Make>
  Value of(std::string_view text, Make make) {
    constexpr std::size_t kMaxBytes = 512;
    constexpr std::size_t kMaxTexts = 4'096;
    if (text.size() > kMaxBytes) {
      return make(text);
    }
    if (const auto found = values_.find(text); found != values_.end()) {
      return found->second;
    }
    if (values_.size() == kMaxTexts) {
      values_.clear();
    }
    return values_.emplace(text, make(text)).first->second;
  }

 private:
  std::unordered_map<std::string, Value, TextHash, std::equal_to<>> values_;
};

class Secrets {
 public:
  // `names` are secret besides the usual ones and the API keys of the contract.
  Secrets(const spec::contract::Contract& contract, Key key, std::span<const std::string> names);
  // Goes on with what `before` remembers, by another contract.
  Secrets(const spec::contract::Contract& contract, const Secrets& before);

  // Remembers the secrets in the messages, but for those in the path, so that they are found
  // wherever they come up later. `response` may be null. A message without any is looked through,
  // not read.
  void learn(const spec::http::Request& request, const spec::http::Response* response);

  // Remembers the parts of the JSON body of which the schema says that they are secret.
  void learn_by_schema(const std::string& body, spec::schema::SchemaId schema,
                       spec::schema::Direction direction);

  // Remembers one, if it is long enough not to come up by chance.
  void learn_value(std::string_view value);

  // The number of secrets that are remembered; it grows when a new one was learned.
  std::size_t count() const { return count_; }

  // By a usual name, one that was given, or a usual ending ("X-Session-Token"); the tokens of pages
  // are no secrets.
  bool is_name(std::string_view name) const;
  // True if the member of that name is secret as a whole: also a list of texts ("tokens"), and not
  // a boolean whose name only ends so ("has_password").
  bool is_member(std::string_view name, const nlohmann::json& value) const;
  // True if the value with that name in `form` is secret: also the code that is for a token of
  // OAuth.
  bool is_pair(std::string_view name, std::string_view form) const;
  // True if the values of the schema are secret: `format: password`, `writeOnly`.
  bool is_schema(spec::schema::SchemaId schema) const;

  struct PathValue {
    std::string value;  // decoded
    std::vector<spec::schema::SchemaId> schemas;
  };

  // The path's parameters that are secret by name or schema.
  std::vector<PathValue> in_path(std::string_view target,
                                 const spec::contract::Operation* operation) const;

  // The parts of a field's value that are secret: the values of cookies, or what is behind the
  // scheme in a field with a secret name.
  std::vector<std::string_view> in_field(std::string_view name, std::string_view value) const;

  // "redacted-" and twelve digits.
  std::string token(std::string_view value) const;
  // The value is replaced by `other` from now on, wherever it comes up.
  void replace_by(const std::string& value, const std::string& other);
  // The replacement of a secret: the one of replace_by, else a token, for a mail address one of
  // those.
  std::string replacement(std::string_view value) const;
  // The text with what is remembered, and what looks like a secret, replaced.
  std::string text(std::string_view value) const;
  // The same of a value as it came: also what has a secret name inside it, as in the query of a
  // URL. What was replaced once is for text() alone.
  std::string first_text(std::string_view value) const;

  const Key& key() const { return key_; }

 private:
  bool is_secret_name(std::string_view name) const;
  bool is_list_name(std::string_view name, const nlohmann::json& value) const;
  void learn_one(std::string_view value);
  void learn_field(const std::string& name, const std::string& value);
  void learn_form(std::string_view form);
  void learn_text(std::string_view text);
  void learn_body(const std::string& body);
  void learn_json(const nlohmann::json& root, bool is_root_secret);
  bool may_have_secret(spec::schema::SchemaId root);
  bool may_name_secret(std::string_view body) const;
  std::optional<std::string_view> find_named(std::string_view text) const;
  std::optional<std::string_view> find_known(std::string_view text) const;

  const spec::contract::Contract& contract_;
  Key key_;
  std::set<std::string> names_;                                   // plain
  std::map<std::string, std::string, std::less<>> replacements_;  // those that replace_by named
  std::size_t count_ = 0;
  // By their first eight bytes; the longest first.
  std::unordered_map<std::uint64_t, std::vector<std::string>> known_;
  std::bitset<65'536> starts_;  // their first two bytes
  std::unordered_map<spec::schema::SchemaId, bool> may_have_secret_;
  mutable Memo<bool> is_name_;
  mutable Memo<std::string> tokens_;
};

}  // namespace mock_server::record
