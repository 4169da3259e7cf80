#include "mock_server/record/recorder.hpp"

#include "mock_server/record/read_calls.hpp"
#include "spec/document/file.hpp"

#include <ostream>
#include <set>
#include <sstream>
#include <system_error>

namespace mock_server::record {
namespace {

namespace fs = std::filesystem;

// The given key, the folder's, or for a dry run into a new folder any.
Key key_of(const RecordOptions& options) {
  if (!options.key_file.empty()) {
    return read_key(options.key_file);
  }
  std::error_code error;
  const fs::path file = options.into / kKeyFile;
  return fs::exists(file, error) ? read_key(file) : Key(make_key_text());
}

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

void write_har(const fs::path& folder, std::string_view version) {
  if (const auto text = spec::document::read_file(folder / kLinesFile)) {
    constexpr unsigned kPrivate = 0600;
    write_whole(folder / kHarFile, har_of_lines(*text, version), kPrivate);
  }
}

struct Validated {
  std::vector<ValidatedCall> calls;
  std::size_t failed = 0;
};

Validated validate_all(const fixtures::LoadedApi& api, Redactor& redactor, const Source& source,
                       std::ostream& notes) {
  for (const LineCall& one : source.calls) {
    redactor.learn(one.call, operation_of(api.contract, one.call.request));
  }
  Validated validated;
  for (const LineCall& one : source.calls) {
    auto call = validate_call(api.contract, redactor, one.call, is_sealed(one, redactor.key()));
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

void append_new_lines(const fs::path& folder, const Validated& validated, const Key& key) {
  const auto known = lines_in(folder / kLinesFile);
  LineFile file(folder / kLinesFile);
  for (const ValidatedCall& call : validated.calls) {
    const std::string line = to_line(call, key);
    if (!known.contains(line)) {
      file.append(line);
    }
  }
}

void say(const Changes& changes, const Validated& validated, const RecordOptions& options,
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

int record_files(const fixtures::LoadedApi& api, const RecordOptions& options, std::ostream& out,
                 std::ostream& notes, std::string_view version) {
  const Folder folder(options.into, options.merge);
  Source source = read_calls(options.from);
  choose_calls(api.contract, options.origin, source);
  if (!options.dry_run) {
    folder.prepare(options.key_file.empty());
  }
  Redactor redactor(api.contract, key_of(options), options.redaction);
  for (const auto& problem : source.problems) {
    notes << redactor.text(spec::to_line(problem)) << '\n';
  }
  const Validated validated = validate_all(api, redactor, source, notes);
  const Plan plan = make_plan(api, validated.calls, {.keep_violating = options.keep_violating});
  for (const std::string& note : plan.notes) {
    notes << redactor.text(note) << '\n';
  }
  const Changes changes = folder.changes(api, plan);
  if (!options.dry_run) {
    append_new_lines(options.into, validated, redactor.key());
    folder.write(changes);
    write_har(options.into, version);
  }
  say(changes, validated, options, out);
  return validated.failed == 0 ? 0 : 1;
}

Recorder::Recorder(std::shared_ptr<const fixtures::LoadedApi> api, RecordOptions options,
                   std::string version)
    : api_(std::move(api)),
      options_(std::move(options)),
      version_(std::move(version)),
      folder_(options_.into, options_.merge) {
  folder_.prepare(options_.key_file.empty());
  redactor_ = std::make_unique<Redactor>(api_->contract, key_of(options_), options_.redaction);
  lines_ = std::make_unique<LineFile>(options_.into / kLinesFile);
}

std::string Recorder::add(const spec::har::Call& call) {
  redactor_->learn(call, operation_of(api_->contract, call.request));
  auto validated = validate_call(api_->contract, *redactor_, call);
  if (!validated) {
    return validated.error();
  }
  lines_->append(to_line(*validated, redactor_->key()));
  calls_.push_back(std::move(*validated));
  return "";
}

Changes Recorder::finish() {
  const Plan plan = make_plan(*api_, calls_, {.keep_violating = options_.keep_violating});
  Changes changes = folder_.changes(*api_, plan);
  folder_.write(changes);
  write_har(options_.into, version_);
  return changes;
}

}  // namespace mock_server::record
