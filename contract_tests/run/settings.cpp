#include "contract_tests/run/settings.hpp"

#include <algorithm>

namespace contract_tests::run {

namespace {

// Whether the case is about a token that nobody has being rejected: by its rule, or because another
// rule's case comes with that token.
bool needs_unknown_tokens(const Case& item) {
  const bool brings_one =
      item.request.authorization.value_or("").find("nobody-has-this-token") != std::string::npos;
  return item.why.rule == "auth/unknown" || (brings_one && item.why.rule != "auth/public-harmless");
}

// The path holds a value that the plan made up: whose record that would be, nobody knows.
bool names_no_record(const Settings& settings, const Case& item) {
  const auto& path = item.request.path;
  return path.empty() || std::ranges::any_of(path, [&settings](const auto& parameter) {
           const auto names = plan::names_in(nlohmann::json(parameter.second));
           return names.empty() || std::ranges::any_of(names, [&settings](const auto& name) {
                    return settings.made_up.contains(name);
                  });
         });
}

}  // namespace

bool is_restored_by_contract(const Settings& settings, const Case& item) {
  return item.needs.restores_record && !settings.consent.lasting;
}

std::string why_not(const Settings& settings, const Case& item) {
  if (!item.unavailable.empty()) {
    return item.unavailable;
  }
  const auto weight = weight_of(settings.severities, item.why.rule, item.why.source, 0);
  if (weight && weight->off) {
    return "its rule, clause or class is off in the severities file";
  }
  if (settings.document_only &&
      item.why.source.statement_class == spec::contract::StatementClass::kAssumption) {
    return "the document does not say it";
  }
  if (item.needs.mock_only && settings.target != Target::kMock) {
    return "only the mock can be asked for this";
  }
  if (settings.takes_any_token && needs_unknown_tokens(item)) {
    return "the mock takes any token, as its /_mock/health says: start it with --token";
  }
  if (!item.needs.lasting.empty() && !settings.consent.lasting) {
    return item.needs.lasting;
  }
  if (item.needs.writes && !settings.consent.writes) {
    return "it may change a record, which is put back: allow it with --allow-writes";
  }
  if (is_restored_by_contract(settings, item) && names_no_record(settings, item)) {
    return "it may change the record that its path names: name one that may be changed with "
           "--subjects (" +
           item.operation + ": {PARAMETER: value})";
  }
  if (item.needs.probes && !settings.consent.probes) {
    return "it sends a method outside the contract: allow it with --allow-probes";
  }
  if (item.needs.burst && !settings.consent.burst) {
    return "it sends many requests at once: allow it with --allow-burst";
  }
  if (item.needs.other_token && !settings.names.find("other_token")) {
    return "it needs the token of another account: give it with --other-token";
  }
  const auto& restores = item.needs.restores;
  if (!restores.empty() && settings.target != Target::kMock && !settings.names.find(restores)) {
    return "what it changes is not shown, so it could not be put back: name what is there now with "
           "the subject " +
           restores + ", if that is known for certain";
  }
  for (const auto& name : item.needs.subjects) {
    if (!settings.names.find(name)) {
      return "the subjects name no " + name + ": see --print-subjects";
    }
  }
  return {};
}

}  // namespace contract_tests::run
