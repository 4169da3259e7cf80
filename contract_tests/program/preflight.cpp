#include "contract_tests/program/preflight.hpp"

#include "contract_tests/plan/plan.hpp"

namespace contract_tests::program {

namespace {

constexpr int kNotFound = 404;

// "cus_1" of {customer_id: "${customer}"}; "" when a subject of the path has no value.
std::string named_in_path(const plan::RequestPlan& request, const plan::Names& names) {
  std::string text;
  for (const auto& [parameter, value] : request.path) {
    const auto filled = plan::fill(std::string_view(value), names);
    if (!filled) {
      return {};
    }
    text += (text.empty() ? "" : ", ") + filled.value();
  }
  return text;
}

}  // namespace

std::vector<std::string> missing_subjects(const run::Settings& settings,
                                          const Documents& documents) {
  std::vector<std::string> lines;
  client::Client client(settings.url, settings.trust, settings.limits);
  for (const auto& [id, rules] : documents.rules.operations) {
    const auto* operation = documents.contract->operation(id);
    if (operation == nullptr || (rules.writes && !settings.consent.writes)) {
      continue;
    }
    const auto request = plan::plain_request(*operation, rules);
    const auto subject = named_in_path(request, settings.names);
    const auto built =
        plan::build_request(*operation, request, settings.names, settings.url.prefix);
    if (!subject.empty() && built && client.send(built.value()).status() == kNotFound) {
      lines.push_back(operation->name + ": the server answers 404 for the subject " + subject +
                      "; name one that it has with --subjects (--print-subjects shows the file)");
    }
  }
  return lines;
}

}  // namespace contract_tests::program
