#include "mock_server/record/recorder.hpp"

#include "mock_server/record/call_files.hpp"
#include "spec/document/text_file.hpp"

#include <optional>
#include <ostream>
#include <set>
#include <sstream>
#include <system_error>
#include <utility>

namespace mock_server::record {
namespace {

namespace fs = std::filesystem;

std::set<std::string> lines_in(const fs::path& file) {
  std::set<std::string> lines;
  if (const auto text = spec::document::read_file(file)) {
    std::istringstream stream(*text);
    for (std::string line; std::getline(stream, line);) {
      lines.insert(line);
    }
  }
  return lines;
}

// Throws LoadError for a text that is no URL.
std::optional<spec::net::BaseUrl> base_of(const std::string& origin) {
  if (origin.empty()) {
    return std::nullopt;
  }
  auto base = spec::net::parse_base_url(origin);
  if (!base) {
    throw spec::LoadError("--origin", base.error());
  }
  return std::move(*base);
}

void print(const std::vector<spec::Problem>& problems, const Redactor& redactor,
           std::ostream& notes) {
  for (const auto& problem : problems) {
    notes << redactor.text(spec::to_line(problem)) << '\n';
  }
}

struct ValidatedCalls {
  std::vector<ValidatedCall> calls;
  std::size_t failed = 0;
};

ValidatedCalls validate_all(const api::LoadedApi& api, Redactor& redactor, const Source& source,
                            std::ostream& notes) {
  for (const LineCall& one : source.calls) {
    const spec::har::Call& call = one.call;
    redactor.learn(call.request, call.response ? &*call.response : nullptr,
                   operation_of(api.contract, call.request));
  }
  ValidatedCalls validated;
  for (const LineCall& one : source.calls) {
    auto call = validate_call(api.contract, redactor, one.call, one.redacted);
    if (call) {
      validated.calls.push_back(std::move(*call));
    } else {
      ++validated.failed;
      notes << "not written: " << one.call.request.method << ' '
            << redactor.text(spec::http::path_of(one.call.request.target)) << ", call "
            << one.call.index + 1 << ": " << call.error() << '\n';
    }
  }
  return validated;
}

void append_new_lines(const fs::path& folder, const ValidatedCalls& validated,
                      const Redactor& redactor) {
  const auto known = lines_in(folder / kLinesFile);
  LineFile file(folder / kLinesFile);
  for (const ValidatedCall& call : validated.calls) {
    const std::string line = to_line(call, redactor);
    if (!known.contains(line)) {
      file.append(line);
    }
  }
}

void say(const Changes& changes, const ValidatedCalls& validated, const RecordOptions& options,
         std::ostream& out) {
  for (const std::string& line : changes.lines) {
    out << line << '\n';
  }
  for (const auto& [file, text] : changes.files) {
    out << (options.dry_run ? "would write " : "wrote ") << (options.into / file).string() << '\n';
  }
  std::size_t valid = 0;
  std::size_t violating = 0;
  for (const ValidatedCall& call : validated.calls) {
    valid += call.verdict == Verdict::kValid ? 1 : 0;
    violating += call.verdict == Verdict::kViolating ? 1 : 0;
  }
  out << validated.calls.size() << " calls: " << valid << " valid, " << violating << " violating, "
      << validated.calls.size() - valid - violating << " undecided"
      << (options.dry_run ? "; nothing was written\n" : "\n");
}

}  // namespace

Key key_of(const RecordOptions& options) {
  if (!options.key_file.empty()) {
    return read_key(options.key_file);
  }
  std::error_code error;
  const fs::path file = options.into / kKeyFile;
  return fs::exists(file, error) ? read_key(file) : Key(make_key_text());
}

int record_files(const api::LoadedApi& api, const RecordOptions& options, std::ostream& out,
                 std::ostream& notes, std::string_view version) {
  const Folder folder(options.into, options.merge, options.flags);
  const auto base = base_of(options.origin);
  Source source = read_calls(options.from, key_of(options));
  if (const auto remedy = choose_calls(api.contract, base, source); !remedy.empty()) {
    print(source.problems, Redactor(api.contract, key_of(options), options.redaction), notes);
    notes << remedy << '\n';
    return 1;
  }
  std::optional<FolderLock> lock;
  if (!options.dry_run) {
    folder.prepare(options.key_file.empty());
    lock.emplace(options.into);
  }
  Redactor redactor(api.contract, key_of(options), options.redaction);
  print(source.problems, redactor, notes);
  const ValidatedCalls validated = validate_all(api, redactor, source, notes);
  const Plan plan = make_plan(api, validated.calls, options.keep_violating);
  for (const std::string& note : plan.notes) {
    notes << redactor.text(note) << '\n';
  }
  const Changes changes = folder.changes(api, plan);
  if (!options.dry_run) {
    append_new_lines(options.into, validated, redactor);
    folder.write(changes);
    write_har(options.into, version);
  }
  say(changes, validated, options, out);
  return validated.failed == 0 ? 0 : 1;
}

void write_har(const fs::path& folder, std::string_view version) {
  constexpr unsigned kPrivate = 0600;
  write_whole(folder / kHarFile, har_of_lines(read_lines_file(folder), version), kPrivate);
}

}  // namespace mock_server::record
