#include "contract_tests/report/saved_run.hpp"

#include "contract_tests/findings/finding_text.hpp"
#include "contract_tests/report/run_cases.hpp"
#include "contract_tests/report/run_value.hpp"
#include "spec/document/library.hpp"
#include "spec/document/text_file.hpp"
#include "spec/json/number.hpp"
#include "spec/json/read.hpp"
#include "spec/load_error.hpp"
#include "spec/schema/compiler/compiler.hpp"
#include "spec/schema/validator/validate.hpp"
#include "spec/text/names.hpp"
#include "spec/text/quote.hpp"

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>

namespace contract_tests::report {

using findings::text_of;
using nlohmann::json;

namespace fs = std::filesystem;
using nlohmann::json;

namespace {

constexpr std::uintmax_t kMaxBytes = 256'000'000;  // reports have at most 20 MB

[[noreturn]] void reject_run(const fs::path& file, std::string why) {
  throw spec::LoadError(file.string(), std::move(why));
}

fs::path file_of(const fs::path& named) {
  std::error_code error;
  if (!fs::is_directory(named, error)) {
    return named;
  }
  if (!fs::exists(named / "run.json", error)) {
    reject_run(named, "this folder has no run.json; --report DIR writes one");
  }
  return named / "run.json";
}

std::string text_in(const fs::path& file) {
  auto text = spec::document::read_file(file, kMaxBytes);
  if (!text) {
    reject_run(file, text.error() + "; --report DIR writes a run.json");
  }
  return std::move(*text);
}

json value_in(const fs::path& file, const std::string& text) {
  auto value = spec::json::read(text);
  if (value) {
    return std::move(value.value());
  }
  const auto spot = spec::document::Cursor(text).locate(value.error().byte_offset);
  const bool cut = value.error().byte_offset >= text.find_last_not_of(" \t\r\n") + 1;
  const auto why = cut ? "the file ends in the middle of a value; it was not written to its end"
                       : "not a run.json: " + value.error().message;
  throw spec::LoadError(spec::Problem{file.string(), spot.line, spot.column, "",
                                      why + "; use the file that --report DIR wrote"});
}

void check_version(const fs::path& file, const json& value) {
  const auto member = value.find("run");
  const auto version = member != value.end() ? spec::json::to_int64(*member) : std::nullopt;
  if (!version) {
    reject_run(file,
               "not a run of contract_tests: it has no version \"run\"; use the run.json that "
               "--report DIR wrote");
  }
  if (*version > kRunVersion) {
    reject_run(file, "written by a newer contract_tests (version " + std::to_string(*version) +
                         " of run.json, this program reads " + std::to_string(kRunVersion) +
                         "); use that program");
  }
  if (*version < kRunVersion) {
    reject_run(file, "written by an older contract_tests (version " + std::to_string(*version) +
                         " of run.json, this program reads " + std::to_string(kRunVersion) +
                         "); run that suite again");
  }
}

// One problem: of a file that somebody edited, the first says enough.
void check_shape(const fs::path& file, const json& value, const fs::path& schema) {
  spec::document::Library library;
  spec::schema::SchemaSet set;
  spec::schema::compiler::Compiler compiler(library, {}, set);
  const auto compiled = compiler.compile(library.open(schema));
  const auto violations = spec::schema::validate(set, compiled, value);
  if (!violations.empty()) {
    const auto& first = violations.front();
    throw spec::LoadError(spec::Problem{
        file.string(), 0, 0, first.instance,
        first.message.text() + "; not as contract_tests wrote it: use the unchanged run.json"});
  }
}

// Indices into lists of the value, which no schema can check.
void check_indices(const fs::path& file, const json& value) {
  const auto check = [&](const json& item, const json& with, const char* key, std::size_t size) {
    if (with.contains(key) && with.at(key).get<std::size_t>() >= size) {
      reject_run(file, "case " + item.at("id").get<std::string>() + " has " + key + ' ' +
                           with.at(key).dump() +
                           ", which is not there; use the unchanged run.json");
    }
  };
  for (const auto& item : value.at("cases")) {
    check(item, item, "index", value.at("plan").at("cases").get<std::size_t>());
    for (const auto& finding : item.at("findings")) {
      check(item, finding, "cause", value.at("causes").size());
      check(item, finding, "exchange", value.at("exchanges").size());
    }
  }
}

}  // namespace

SavedRun read_run(const fs::path& named, const fs::path& schema) {
  SavedRun run{.file = file_of(named), .value = {}};
  run.value = value_in(run.file, text_in(run.file));
  check_version(run.file, run.value);
  check_shape(run.file, run.value, schema);
  check_indices(run.file, run.value);
  return run;
}

namespace {

bool is_chosen(const json& run, const json& item, const json& finding, const std::string& which) {
  const auto fails = [&run](const json& each) { return findings::fails(run, each); };
  if (which.empty()) {
    return text_of(item, "verdict") == "failed" && fails(finding);
  }
  if (text_of(finding, "fingerprint") == which) {
    return true;
  }
  return text_of(item, "id") == which &&
         (fails(finding) || std::ranges::none_of(item.at("findings"), fails));
}

std::string describe_unknown(const json& run, const std::string& which) {
  std::vector<std::string_view> names;
  for (const auto& item : run.at("cases")) {
    names.push_back(item.at("id").get_ref<const std::string&>());
    for (const auto& finding : item.at("findings")) {
      names.push_back(finding.at("fingerprint").get_ref<const std::string&>());
    }
  }
  const auto near = spec::text::nearest(which, names);
  return "it has no finding and no case " + spec::text::in_quotes(which, 200) +
         (near ? "; did you mean " + std::string(*near) + '?'
               : "; the line \"id\" of a failure, or the name of a case, is expected");
}

bool is_case(const json& run, const std::string& which) {
  return std::ranges::any_of(run.at("cases"),
                             [&](const json& item) { return item.at("id") == which; });
}

}  // namespace

spec::Result<std::vector<SelectedFinding>, std::string> select_findings(const json& run,
                                                                        const std::string& which) {
  std::vector<SelectedFinding> chosen;
  for (const auto& item : run.at("cases")) {
    for (const auto& finding : item.at("findings")) {
      if (has_details(item) && is_chosen(run, item, finding, which)) {
        chosen.push_back({&item, &finding});
      }
    }
  }
  if (chosen.empty() && !which.empty() && !is_case(run, which)) {
    return spec::Unexpected{describe_unknown(run, which)};
  }
  return chosen;
}

std::vector<std::string> unfinished_cases(const json& run) {
  std::vector<std::string> names;
  for (const auto& item : run.at("cases")) {
    if (item.at("verdict") == "failed" || item.at("verdict") == "inconclusive") {
      names.push_back(text_of(item, "id"));
    }
  }
  return names;
}

std::vector<std::string> unlisted_failures(const json& run) {
  std::vector<std::string> names;
  for (const auto& item : run.at("cases")) {
    if (item.at("verdict") == "failed" && !has_details(item)) {
      names.push_back(text_of(item, "id"));
    }
  }
  return names;
}

}  // namespace contract_tests::report
