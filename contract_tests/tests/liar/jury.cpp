#include "contract_tests/tests/liar/jury.hpp"

#include "contract_tests/plan/plan.hpp"
#include "contract_tests/plan/subjects.hpp"
#include "contract_tests/program/double_process.hpp"
#include "contract_tests/run/runner.hpp"
#include "contract_tests/tests/liar/liar.hpp"
#include "spec/tests/paths.hpp"

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <map>
#include <mutex>
#include <thread>

namespace contract_tests::liar {

namespace fs = std::filesystem;
using checks::Finding;
using checks::Severity;
using nlohmann::json;

namespace {

fs::path root() {
  return fs::path(test_paths::source());
}

plan::DataFiles data_files() {
  return plan::DataFiles(root() / "contract_tests/rules/schemas");
}

program::DoubleProcess start_double() {
  auto started =
      program::DoubleProcess::start(test_paths::mock_server(), {"--port", "0", "--quiet"});
  if (!started) {
    throw spec::LoadError(spec::Problem{"mock_server", 0, 0, "", started.error()});
  }
  return std::move(started.value());
}

plan::Names load_names() {
  auto files = data_files();
  auto names = plan::load_subjects(files, root() / "fixtures/subjects.yaml");
  names.set("token", "dodo_test_counterpart");
  names.set("other_token", "dodo_test_other_business");
  return names;
}

plan::Plan load_plan(const spec::contract::Contract& contract, const plan::Rules& rules,
                     const plan::RuleBook& book) {
  auto files = data_files();
  return plan::make_plan(
      {.contract = contract,
       .rules = rules,
       .book = book,
       .written = plan::load_cases(files, root() / "contract_tests/cases", contract, rules),
       .seed = 1,
       .hostile =
           plan::load_hostile_texts(files, root() / "contract_tests/rules/hostile_texts.yaml")});
}

plan::Rules load_rules() {
  auto files = data_files();
  return plan::load_rules(files, root() / "contract_tests/rules/payments.yaml");
}

plan::RuleBook load_book() {
  auto files = data_files();
  return plan::load_rule_book(files, root() / "contract_tests/rules/rule_book.yaml");
}

// As the program weighs breaches when nobody says otherwise.
run::Severities load_severities(const plan::RuleBook& book) {
  auto files = data_files();
  return run::load_severities(files, root() / "contract_tests/rules/severities.yaml", book);
}

checks::LeakMarks load_leaks() {
  auto files = data_files();
  return plan::load_leak_marks(files, root() / "contract_tests/rules/leaks.yaml");
}

std::vector<Behaviour> behaviours_of(const json& data) {
  std::vector<Behaviour> behaviours;
  for (const auto& part : data.at("behaviours")) {
    behaviours.push_back({part.value("when", json::object()), part.value("request", json::array()),
                          part.value("answer", json::array())});
  }
  return behaviours;
}

void load_folder(plan::DataFiles& files, const std::string& folder, std::vector<Charge>& charges) {
  std::vector<fs::path> paths;
  for (const auto& entry : fs::directory_iterator(root() / "contract_tests/tests" / folder)) {
    paths.push_back(entry.path());
  }
  std::ranges::sort(paths);
  for (const auto& path : paths) {
    charges.push_back({path.stem().string(), files.read(path, "lies").value()});
  }
}

}  // namespace

// What every trial shares, all const but for the double's process.
struct Jury::World {
  spec::contract::Contract contract =
      spec::contract::load_contract(root() / "spec/payments.openapi.yaml");
  plan::Rules rules = load_rules();
  plan::RuleBook book = load_book();
  run::Severities severities = load_severities(book);
  checks::LeakMarks leaks = load_leaks();
  plan::Plan plan = load_plan(contract, rules, book);
  client::Trust trust;
  plan::Names names = load_names();
  program::DoubleProcess double_process = start_double();
};

struct Jury::Work {
  std::mutex mutex;
  std::condition_variable changed;
  std::vector<const Charge*> charges;
  std::map<const Charge*, Testimony> heard;
  std::atomic<std::size_t> next = 0;
  std::vector<std::jthread> threads;
};

std::vector<Charge> load_charges() {
  auto files = data_files();
  std::vector<Charge> charges;
  load_folder(files, "lies", charges);
  load_folder(files, "variations", charges);
  return charges;
}

Jury::Jury() : world_(std::make_unique<World>()), work_(std::make_unique<Work>()) {}

Jury::~Jury() = default;

void Jury::start(std::vector<const Charge*> charges, unsigned jobs) {
  work_->charges = std::move(charges);
  for (unsigned job = 0; job < std::max(jobs, 1U); ++job) {
    work_->threads.emplace_back([this](const std::stop_token& stopping) {
      auto& work = *work_;
      for (auto at = work.next++; at < work.charges.size() && !stopping.stop_requested();
           at = work.next++) {
        auto testimony = hear(*work.charges[at]);
        const std::lock_guard lock(work.mutex);
        work.heard[work.charges[at]] = std::move(testimony);
        work.changed.notify_all();
      }
    });
  }
}

const Testimony& Jury::wait(const Charge& charge) {
  std::unique_lock lock(work_->mutex);
  work_->changed.wait(lock, [&] { return work_->heard.contains(&charge); });
  return work_->heard.at(&charge);
}

Testimony Jury::hear(const Charge& charge) const {
  const auto began = std::chrono::steady_clock::now();
  const auto honest = client::parse_base_url(world_->double_process.url());
  const Liar liar(honest.value(), behaviours_of(charge.data), plan::slug(charge.name));
  run::Settings settings{.contract = world_->contract,
                         .rules = world_->rules,
                         .book = world_->book,
                         .trust = world_->trust,
                         .url = liar.url()};
  settings.names = world_->names;
  settings.severities = world_->severities;
  settings.leaks = world_->leaks;
  settings.secrets = {"dodo_test_counterpart", "dodo_test_other_business"};
  settings.consent = {.writes = true, .lasting = true, .probes = true};
  settings.patience = {.tries = 2,
                       .first_wait = std::chrono::milliseconds(1),
                       .longest_wait = std::chrono::milliseconds(2)};
  settings.document_only = charge.data.value("document_only", false);
  settings.consent.burst = charge.data.value("burst", false);
  settings.target =
      charge.data.value("double", false) ? run::Target::kDouble : run::Target::kService;
  if (!charge.data.value("slowly", false)) {
    settings.later = std::chrono::milliseconds(0);
  }
  // Short only where the lie is that nothing comes: a busy machine is no liar.
  const bool late =
      charge.is_lie() && charge.data.at("expect").at("rule").get<std::string>() == "http/deadline";
  settings.limits.first_byte = late ? std::chrono::seconds(3) : std::chrono::seconds(60);
  settings.limits.whole = late ? std::chrono::seconds(5) : std::chrono::seconds(120);
  run::Runner runner(settings, world_->plan);
  std::vector<std::size_t> selected;
  const auto& operations = charge.data.at("operations");
  for (std::size_t index = 0; index < world_->plan.cases.size(); ++index) {
    if (std::ranges::find(operations, json(world_->plan.cases[index].operation)) !=
        operations.end()) {
      selected.push_back(index);
    }
  }
  runner.start(selected, 1);
  Testimony testimony;
  for (const auto index : selected) {
    const auto& outcome = runner.wait(index);
    testimony.requests += outcome.steps.size();
    testimony.findings.insert(testimony.findings.end(), outcome.findings.begin(),
                              outcome.findings.end());
  }
  runner.finish();
  testimony.time = std::chrono::duration_cast<std::chrono::milliseconds>(
      std::chrono::steady_clock::now() - began);
  return testimony;
}

bool is_caught(const Charge& lie, const std::vector<Finding>& findings) {
  const auto& expect = lie.data.at("expect");
  return std::ranges::any_of(findings, [&expect](const Finding& finding) {
    return finding.rule == expect.at("rule") && finding.severity != Severity::kNote &&
           spec::contract::to_text(finding.source.statement_class) == expect.at("class");
  });
}

std::vector<Finding> alarms(const std::vector<Finding>& findings) {
  std::vector<Finding> left;
  std::ranges::copy_if(findings, std::back_inserter(left),
                       [](const Finding& finding) { return finding.severity != Severity::kNote; });
  return left;
}

std::string listed(const std::vector<Finding>& findings) {
  constexpr std::size_t kLongest = 6'000;
  std::string text;
  for (const auto& finding : findings) {
    text += "  " + std::string(to_text(finding.severity)) + ' ' + finding.rule + " (" +
            std::string(spec::contract::to_text(finding.source.statement_class)) + ") " +
            finding.case_id + ' ' + finding.place + ": " + finding.message + '\n';
  }
  return text.substr(0, kLongest);
}

}  // namespace contract_tests::liar
