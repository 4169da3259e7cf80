#pragma once

// A request as a plan writes it: by the names of the contract, with ${subject} names where a run's
// own values go. Pure values and functions; the run fills and sends them.

#include "spec/contract/contract.hpp"
#include "spec/http/message.hpp"
#include "spec/result.hpp"

#include <nlohmann/json.hpp>

#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace contract_tests::plan {

using Pairs = std::vector<std::pair<std::string, std::string>>;

// The value of the first pair of this name; null if there is none.
const std::string* find_pair(const Pairs& pairs, std::string_view name);

// Removes every pair of this name.
void erase_pairs(Pairs& pairs, std::string_view name);

// NOLINTNEXTLINE(bugprone-exception-escape): nlohmann's moves assert, they never throw.
struct RequestPlan {
  std::string method;                       // "" is the operation's own
  std::map<std::string, std::string> path;  // path parameters by name, decoded
  Pairs encoded_path;     // instead of those of `path`: as their styles write them, no ${names}
  Pairs query;            // decoded; a name may repeat
  std::string raw_query;  // before `query`, as it goes out
  Pairs headers;
  // nullopt: what the operation asks for; "": no credentials at all; else the field's text.
  std::optional<std::string> authorization;
  // Instead of what the operation asks for first: names of security schemes, each with what is
  // given for it; ${token} is what the run has for the scheme.
  std::optional<Pairs> credentials;
  std::optional<nlohmann::json> body;    // sent as application/json
  std::optional<std::string> raw_body;   // instead of `body`
  std::optional<std::string> body_type;  // instead of application/json; "" sends no Content-Type
  bool encode_path = false;              // every byte of a path parameter percent-encoded
  bool chunked = false;                  // the body in chunks instead of with a length
  bool expect_continue = false;          // waits for a 100 before the body

  friend bool operator==(const RequestPlan&, const RequestPlan&) = default;
};

// Values for ${names}: subjects ("customer", "licence.valid", "payments.0"), "token",
// "other_token", "credentials.SCHEME" where a scheme has another credential than the token, and
// what subjects.hpp makes of them ("unknown.NAME", "cut.NAME", ...).
class Names {
 public:
  void set(std::string name, std::string value) { values_[std::move(name)] = std::move(value); }

  std::optional<std::string> find(std::string_view name) const;

  const std::map<std::string, std::string, std::less<>>& values() const { return values_; }

 private:
  std::map<std::string, std::string, std::less<>> values_;
};

// The name of what is given for a security scheme: "credentials.SCHEME" if that has a value, else
// "token".
std::string credential_name(const std::string& scheme, const Names& names);

// `text` with ${name} instead of ${token}, and with what subjects.hpp makes of it the same.
std::string phrase_about(std::string_view text, std::string_view name);

// True if the value of this name is a token or a credential.
bool is_credential(std::string_view name);

// The request that `plan` means for `operation`, or the name that has no value. `prefix` is the
// base URL's path. Path parameters without a value are filled with the name of the parameter.
spec::Result<spec::http::Request, std::string> build_request(
    const spec::contract::Operation& operation, const RequestPlan& plan, const Names& names,
    std::string_view prefix);

// `path_template` as the path of a target: each parameter replaced by `value_of` its name, which
// must be encoded; the rest as a target can carry it. What follows a brace without an end is left
// out.
std::string fill_path(std::string_view path_template,
                      const std::function<std::string(const std::string&)>& value_of);

// `text` with every ${name} replaced, or the first name that has no value.
spec::Result<std::string, std::string> fill(std::string_view text, const Names& names);
spec::Result<nlohmann::json, std::string> fill(nlohmann::json value, const Names& names);

// The security schemes that a request brings credentials for by itself, each with the name of what
// is given: those of the operation's first alternative for which `names` has credentials of their
// own ("credentials.SCHEME"), else of its first; none where it lets anyone in.
Pairs usual_credentials(const spec::contract::Operation& operation, const Names& names = {});

// A credential as the Basic scheme sends it: NAME:PASSWORD, or a name alone, in base64.
// Source: RFC 7617 §2.
std::string basic_credentials(const std::string& credential);

// Every ${name} that `plan` needs, but for those of credentials.
std::set<std::string> names_in(const RequestPlan& plan);
std::set<std::string> names_in(const nlohmann::json& value);

// Data for --list, reports and the plan's hash, and back. Precondition of the way back: `data` is
// valid by requests.schema.yaml.
nlohmann::json to_json(const RequestPlan& plan);
RequestPlan request_from(const nlohmann::json& data);

// `base` with everything that `over` says besides or instead.
RequestPlan overlay(RequestPlan base, const RequestPlan& over);

// What a request of the operation must have beside its path and body: the required query
// parameters, header fields and cookies of `plain`.
RequestPlan required_part(const spec::contract::Operation& operation, const RequestPlan& plain);

// `base` with one query parameter more, instead of those of the same name.
RequestPlan with_query(RequestPlan base, const std::string& name, std::string value);

}  // namespace contract_tests::plan
