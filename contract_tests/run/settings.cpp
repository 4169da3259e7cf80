#include "contract_tests/run/settings.hpp"

#include <algorithm>

namespace contract_tests::run {

namespace {

// Whether the case needs a server that rejects unknown tokens: by its rule, or because it sends
// one.
bool needs_unknown_tokens(const Case& item) {
  const bool sends_one =
      item.request.authorization.value_or("").find("nobody-has-this-token") != std::string::npos;
  return item.why.rule == "auth/unknown" || (sends_one && item.why.rule != "auth/public-harmless");
}

// The path has a value that the plan made up: it is not known which record that would be.
bool has_made_up_path(const Settings& settings, const Case& item) {
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
    return "its rule, clause or class is turned off in the severities file";
  }
  if (settings.document_only &&
      item.why.source.statement_class == spec::contract::StatementClass::kAssumption) {
    return "it tests an assumption, and --document-only leaves assumptions out";
  }
  if (item.needs.mock_only && settings.target != Target::kMock) {
    return "only the mock supports this request";
  }
  if (settings.takes_any_token && needs_unknown_tokens(item)) {
    return "the mock accepts any token (GET /_mock/health says so); start it with --token";
  }
  if (!item.needs.lasting.empty() && !settings.consent.lasting) {
    return item.needs.lasting;
  }
  if (item.needs.writes && !settings.consent.writes) {
    return "it may change a record, and undoes the change; allow it with --allow-writes";
  }
  if (is_restored_by_contract(settings, item) && has_made_up_path(settings, item)) {
    return "it may change the record in its path; name one that may be changed with --subjects (" +
           item.operation + ": {PARAMETER: value})";
  }
  if (item.needs.probes && !settings.consent.probes) {
    return "it sends a method that the contract does not have; allow it with --allow-probes";
  }
  if (item.needs.burst && !settings.consent.burst) {
    return "it sends many requests at once; allow it with --allow-burst";
  }
  if (item.needs.other_token && !settings.names.find("other_token")) {
    return "it needs the token of another account; pass one with --other-token";
  }
  const auto& restores = item.needs.restores;
  if (!restores.empty() && settings.target != Target::kMock && !settings.names.find(restores)) {
    return "no response shows the value that it changes, so it could not be restored; give the "
           "current value as the subject " +
           restores + ", if you know it for certain";
  }
  return missing_subject(settings, item);
}

std::string missing_subject(const Settings& settings, const Case& item) {
  for (const auto& name : item.needs.subjects) {
    if (!settings.names.find(name)) {
      return "the subject " + name + " is not set; see --print-subjects";
    }
  }
  return {};
}

}  // namespace contract_tests::run
