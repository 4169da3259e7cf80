#pragma once

// Takes secrets out of recorded calls, in the one place that all writing goes through: credentials,
// `format: password`, writeOnly, members by name, mail addresses and keys by their form.
// Replacements are keyed and as valid as what they replace. Not safe from several threads.

#include "mock_server/record/key.hpp"
#include "spec/contract/contract.hpp"
#include "spec/har/har.hpp"
#include "spec/result.hpp"
#include "spec/schema/generate/generator.hpp"
#include "spec/schema/patterns/pattern.hpp"
#include "spec/schema/validator/validate.hpp"

#include <nlohmann/json.hpp>

#include <map>
#include <optional>
#include <set>
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

  // Remembers the secrets in the call, so that they are found wherever they come up later.
  void learn(const spec::har::Call& call, const spec::contract::Operation* operation);

  // The call without secrets; bodies that cannot be read as text are left out (has_..._body).
  // Fails with the reason if it cannot be made safe and stay valid; then nothing may be written.
  spec::Result<spec::har::Call, std::string> redact(const spec::har::Call& call,
                                                    const spec::contract::Operation* operation);

  // Any text, known secrets and what looks like one replaced.
  std::string text(std::string_view value) const;

  const Key& key() const { return key_; }

 private:
  using Schemas = std::vector<spec::schema::SchemaId>;
  struct Walk;

  bool is_secret_name(std::string_view name) const;
  bool is_secret_schema(const Schemas& schemas) const;
  void learn_value(std::string_view value);
  void learn_body(const std::string& body);
  std::string token(std::string_view value) const;
  std::string replacement(std::string_view value) const;
  bool is_as_valid(const nlohmann::json& before, const nlohmann::json& after,
                   const Schemas& schemas) const;
  std::optional<nlohmann::json> replace(const nlohmann::json& value, const Schemas& schemas);
  std::optional<nlohmann::json> redact_value(const nlohmann::json& value, const Walk& walk);
  std::optional<nlohmann::json> redact_scalar(const nlohmann::json& value, const Walk& walk,
                                              const Schemas& schemas, bool is_secret);
  spec::Result<std::string, std::string> redact_json(const std::string& body,
                                                     std::optional<spec::schema::SchemaId> schema,
                                                     spec::schema::Direction direction);
  std::string redact_form(std::string_view form, const spec::contract::Operation* operation);
  std::string redact_target(std::string_view target, const spec::contract::Operation* operation);
  spec::http::Headers redact_headers(const spec::http::Headers& headers) const;
  std::string redact_field(std::string_view name, std::string_view value) const;
  spec::Result<bool, std::string> redact_request(spec::har::Call& call,
                                                 const spec::contract::Operation* operation);
  spec::Result<bool, std::string> redact_response(spec::har::Call& call,
                                                  const spec::contract::Operation* operation);

  const spec::contract::Contract& contract_;
  Key key_;
  RedactionOptions options_;
  spec::schema::generate::Generator generator_;
  std::set<std::string> names_;  // plain
  std::set<std::string, std::less<>> secrets_;
  std::vector<spec::schema::patterns::Pattern> patterns_;
  std::map<std::string, std::vector<nlohmann::json>> replaced_;  // by JSON text
};

}  // namespace mock_server::record
