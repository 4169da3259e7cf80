#pragma once

// Takes secrets out of recorded calls, in the one place that all writing goes through: credentials,
// `format: password`, writeOnly, members by name, mail addresses and keys by their form.
// Replacements are keyed and as valid as what they replace. Not safe from several threads.

#include "mock_server/record/secret_values.hpp"
#include "spec/contract/contract.hpp"
#include "spec/har/har.hpp"
#include "spec/http/items.hpp"
#include "spec/result.hpp"
#include "spec/schema/generate/generator.hpp"
#include "spec/schema/validator/validate.hpp"

#include <nlohmann/json.hpp>

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace mock_server::record {

struct RedactionOptions {
  bool is_off = false;
  std::vector<std::string> names;  // of members, parameters and fields, besides the usual ones
};

class Redactor {
 public:
  // `contract` must outlive it.
  Redactor(const spec::contract::Contract& contract, Key key, RedactionOptions options);
  // Goes on with what `before` knows, by that or another contract.
  Redactor(const spec::contract::Contract& contract, const Redactor& before);

  // Remembers the secrets in the messages, so that they are found wherever they come up later.
  // `response` may be null.
  void learn(const spec::http::Request& request, const spec::http::Response* response,
             const spec::contract::Operation* operation);

  // The call without secrets; bodies that cannot be read as text are left out (has_..._body).
  // Fails with the reason if it cannot be made safe and stay valid; then nothing may be written.
  spec::Result<spec::har::Call, std::string> redact(const spec::har::Call& call,
                                                    const spec::contract::Operation* operation);

  // Any text, known secrets and what looks like one replaced.
  std::string text(std::string_view value) const;

  bool is_off() const { return options_.is_off; }

  // The number of secrets that it remembers; it grows when learn() or redact() found another.
  std::size_t known() const { return secrets_.count(); }

  // The same, with what replaces short ones and numbers.
  std::size_t remembered() const { return known() + replaced_.size() + identifiers_.size(); }

  const Key& key() const { return secrets_.key(); }

 private:
  using Schemas = std::vector<spec::schema::SchemaId>;
  struct Walk;

  bool is_secret_schema(const Schemas& schemas) const;
  bool is_as_valid(const nlohmann::json& before, const nlohmann::json& after,
                   const Schemas& schemas) const;
  void learn_identifier(const std::string& value, const Schemas& schemas);
  bool is_identifier(std::string_view name, const nlohmann::json& value) const;
  Schemas with_identifier(const std::string& text, Schemas schemas) const;
  std::vector<nlohmann::json> candidates(const nlohmann::json& value, const std::string& text,
                                         const Schemas& schemas);
  std::optional<nlohmann::json> replace(const nlohmann::json& value, const Schemas& places);
  std::optional<nlohmann::json> redact_value(const nlohmann::json& value, const Walk& walk);
  std::optional<nlohmann::json> redact_scalar(const nlohmann::json& value, const Schemas& schemas,
                                              bool is_secret);
  spec::Result<std::string, std::string> redact_json(const std::string& body,
                                                     std::optional<spec::schema::SchemaId> schema,
                                                     spec::schema::Direction direction);
  // `content` describes the items; null: nothing does.
  std::string redact_items(std::string_view body, spec::http::ItemForm form,
                           const spec::contract::MediaTypeObject* content);
  std::string redact_text(const std::string& body, spec::schema::Direction direction);
  std::string replace_text(const std::string& value, const Schemas& schemas);
  std::string redact_form(std::string_view form, const spec::contract::Operation* operation);
  std::string redact_target(std::string_view target, const spec::contract::Operation* operation);
  // The field that the contract declares by that name; null for none.
  using FindParameter = std::function<const spec::contract::Parameter*(std::string_view name)>;
  void learn_headers(const spec::http::Headers& headers, const FindParameter& find);
  spec::http::Headers redact_headers(const spec::http::Headers& headers, const FindParameter& find);
  std::string redact_field(std::string_view name, const std::string& value, const Schemas& schemas);
  // Redacts one of the two messages of a call; `schema` is that of the body, `items` describes its
  // items, or is null. The reason if it cannot be made safe, else "".
  std::string redact_body(const spec::http::Headers& headers, std::string& body, bool& is_whole,
                          std::optional<spec::schema::SchemaId> schema,
                          spec::schema::Direction direction,
                          const spec::contract::MediaTypeObject* items = nullptr);

  const spec::contract::Contract& contract_;
  RedactionOptions options_;
  Secrets secrets_;
  spec::schema::generate::Generator generator_;
  std::map<std::string, std::vector<nlohmann::json>> replaced_;  // by JSON text
  // Secrets that were in a path, where they name a record, with the schemas of the parameters.
  std::map<std::string, Schemas> identifiers_;
};

}  // namespace mock_server::record
