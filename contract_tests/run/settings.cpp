#include "contract_tests/run/settings.hpp"

namespace contract_tests::run {

namespace {

// Whether the case is about a token that nobody has being refused: by its rule, or because another
// rule's case comes with that token.
bool needs_unknown_tokens(const plan::Case& item) {
  const bool brings_one =
      item.request.authorization.value_or("").find("nobody-has-this-token") != std::string::npos;
  return item.why.rule == "auth/unknown" || (brings_one && item.why.rule != "auth/public-harmless");
}

}  // namespace

std::string why_not(const Settings& settings, const plan::Case& item) {
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
  if (item.needs.double_only && settings.target != Target::kDouble) {
    return "only the double can be asked for this";
  }
  if (settings.takes_any_token && needs_unknown_tokens(item)) {
    return "the mock takes any token, as its /_mock/health says: start it with --token";
  }
  if (item.needs.writes && !settings.consent.writes) {
    return "it changes a record (and undoes it): allow it with --allow-writes";
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
  if (!restores.empty() && settings.target != Target::kDouble && !settings.names.find(restores)) {
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
