#pragma once

// Two values compared member by member, and what to write into the mock's fixtures so that it does
// as the service: a file for a folder that --fixtures names, or an entry of its operations.yaml.
// Asks the mock's control API which record a response came from, and changes nothing.

#include "contract_tests/parity/side.hpp"

#include <nlohmann/json.hpp>

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace contract_tests::parity {

struct Difference {
  std::string pointer;     // JSON pointer of the place
  nlohmann::json mock;     // discarded where the mock's value has no such place
  nlohmann::json service;  // the same of the service's
};

// The places at which the values differ, in order, twenty at most. Lists of different lengths are
// one difference. A text with "redacted-" and twelve hexadecimal digits, which a recording has in
// the place of a private value, differs from nothing.
std::vector<Difference> differences(const nlohmann::json& mock, const nlohmann::json& service);

// "absent", or the value as JSON, cut.
std::string shown_value(const nlohmann::json& value);

struct SuggestedFix {
  std::string file;  // "customers/cus_1.json", in a folder of --fixtures; "" for words alone
  std::string text;  // what it holds, or what to do
  // If the file is a record that the mock has: the changes in it, "/name: \"Ada\"".
  std::vector<std::string> changes = {};

  friend bool operator==(const SuggestedFix&, const SuggestedFix&) = default;
};

// The JSON that the mock sends in response to GET of this target; nothing for an error.
using AskMock = std::function<std::optional<nlohmann::json>(const std::string& target)>;

class FixSuggester {
 public:
  // With an empty function, it suggests nothing.
  explicit FixSuggester(AskMock ask = {}) : ask_(std::move(ask)) {}

  // True if the operation shows records of the fixtures. Else the mock generates the response, and
  // another value means nothing.
  bool is_of_fixtures(const std::string& operation_id);

  // The record with the service's values. Empty if the values come from no record.
  std::optional<SuggestedFix> fix_values(const std::string& operation_id,
                                         const ObservedResponse& mock,
                                         const ObservedResponse& service,
                                         const std::vector<Difference>& values);

  // The record that the service has and the mock lacks, from what the service shows of it.
  std::optional<SuggestedFix> fix_missing(const std::string& operation_id,
                                          const ObservedResponse& service);

  // The record that the mock has and the service lacks.
  std::optional<SuggestedFix> fix_surplus(const std::string& operation_id,
                                          const ObservedResponse& mock);

  // The mock's status of this kind of error. Nothing for 401, which is about the credentials.
  static std::optional<SuggestedFix> fix_status(const ObservedResponse& mock, int status);

 private:
  struct Binding {
    std::string behaviour;
    std::string collection;
    bool has_records = false;  // in the fixtures
  };

  const Binding* binding_of(const std::string& operation_id);
  std::optional<nlohmann::json> record(const std::string& collection, const std::string& key);

  AskMock ask_;
  std::optional<std::map<std::string, Binding>> bindings_;  // once they were asked for
};

}  // namespace contract_tests::parity
