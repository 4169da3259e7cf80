#include "contract_tests/run/run_settings.hpp"

#include <algorithm>
#include <utility>

namespace contract_tests::run {

namespace {

// True if the case needs a server that rejects unknown tokens: by its rule, or because it sends
// one.
bool needs_unknown_tokens(const Case& item) {
  const bool sends_one =
      item.request.authorization.value_or("").find("nobody-has-this-token") != std::string::npos;
  return item.basis.rule == "auth/unknown" ||
         (sends_one && item.basis.rule != "auth/public-harmless");
}

// The path has a value that the plan made up: it is not known which record that would be.
// The parameter `but` does not count.
bool has_made_up_path(const Settings& settings, const Case& item, const std::string& but = {}) {
  return std::ranges::any_of(item.request.path, [&](const auto& parameter) {
    const auto names = plan::names_in(nlohmann::json(parameter.second));
    const bool made_up = names.empty() || std::ranges::any_of(names, [&settings](const auto& name) {
                           return settings.made_up.contains(name);
                         });
    return made_up && parameter.first != but;
  });
}

std::string why_not_written(const Settings& settings, const Case& item) {
  if (item.needs.own_record && settings.consent.lasting) {
    return "it is about records that are created, and the mock keeps none without fixtures";
  }
  if (item.needs.list && settings.consent.lasting) {
    return "it compares the items of a list, and the mock's are the contract's examples";
  }
  const auto way = write_strategy_of(settings, item);
  const bool may_last = settings.consent.may_last(item.operation);
  if (way == WriteStrategy::kLasts && !may_last) {
    return item.needs.lasting +
           "; allow it with --allow-writes-to and the operation's name, or --sandbox";
  }
  if (item.needs.writes && !settings.consent.writes && !may_last) {
    return "it may change a record, and undoes the change; allow it with --allow-writes";
  }
  if (way == WriteStrategy::kUnnamed && !may_last) {
    return "it may change the record in its path; name one that may be changed with --subjects (" +
           item.operation + ": {PARAMETER: value})";
  }
  const bool creates = (item.own != nullptr && item.own->is_created_by(item.operation)) ||
                       item.operation_name.starts_with("DELETE ");
  return creates && item.variant && !settings.consent.lasting
             ? "each request creates or deletes another record, so two responses may differ"
             : "";
}

}  // namespace

WriteStrategy write_strategy_of(const Settings& settings, const Case& item) {
  if (!item.needs.writes || settings.consent.lasting) {
    return WriteStrategy::kAsIs;
  }
  const auto* own = item.own.get();
  if (own != nullptr && own->is_created_by(item.operation)) {
    return has_made_up_path(settings, item) ? WriteStrategy::kUnnamed
           : own->remove == nullptr         ? WriteStrategy::kLasts
                                            : WriteStrategy::kRemoves;
  }
  const bool named =
      !item.needs.own_record && !item.request.path.empty() && !has_made_up_path(settings, item);
  if (item.needs.restores_record && named) {
    return WriteStrategy::kRestores;
  }
  const bool has_own = own != nullptr && (own->remove != nullptr || settings.consent.sandbox) &&
                       (item.needs.lasting.empty() || settings.consent.may_last(item.operation));
  if (has_own && !has_made_up_path(settings, item, own->parameter)) {
    return WriteStrategy::kOwnRecord;
  }
  if (has_own || item.needs.restores_record) {
    return WriteStrategy::kUnnamed;
  }
  return item.needs.lasting.empty() ? WriteStrategy::kAsIs : WriteStrategy::kLasts;
}

namespace {

// Why the run may not carry `item` out (consent, settings, the contract itself); "" when it may.
std::string why_not_allowed(const Settings& settings, const Case& item) {
  if (item.obstacle.is_not_allowed()) {
    return item.obstacle.words;
  }
  const auto weight = plan::weight_of(settings.severities, item.basis.rule, item.basis.source, 0);
  if (weight && weight->off) {
    return "its rule, clause or class is turned off in the severities file";
  }
  if (settings.document_only &&
      item.basis.source.statement_class == spec::contract::StatementClass::kAssumption) {
    return "it tests an assumption, and --document-only leaves assumptions out";
  }
  if (item.needs.mock_only && settings.target != Target::kMock) {
    return "only the mock supports this request";
  }
  if (item.undeclared_method && !item.needs.lasting.empty() && !settings.consent.lasting) {
    return item.needs.lasting;
  }
  if (settings.takes_any_token && needs_unknown_tokens(item)) {
    return "the mock accepts any token (GET /_mock/health); start it with --token";
  }
  if (auto why = why_not_written(settings, item); !why.empty()) {
    return why;
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
  return {};
}

}  // namespace

Reason why_not(const Settings& settings, const Case& item) {
  if (auto why = why_not_allowed(settings, item); !why.empty()) {
    return {std::move(why), Reason::Kind::kNotAllowed};
  }
  if (item.obstacle.kind == Reason::Kind::kUnmakable) {
    return item.obstacle;
  }
  for (const auto& name : item.needs.subjects) {
    if (!settings.names.find(name)) {
      return item.obstacle.empty() ? no_subject(name) : item.obstacle;
    }
  }
  return {};
}

}  // namespace contract_tests::run
