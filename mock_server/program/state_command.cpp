#include "mock_server/program/state_command.hpp"

#include "mock_server/state/disk/disk_state.hpp"
#include "mock_server/state/transfer/state_content.hpp"
#include "spec/document/text_file.hpp"
#include "spec/load_error.hpp"
#include "spec/non_copyable.hpp"
#include "spec/process/program_flags.hpp"
#include "spec/text/quote.hpp"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <filesystem>
#include <iostream>
#include <iterator>
#include <limits>
#include <system_error>
#include <utility>

namespace mock_server::program {
namespace {

using state::transfer::StateContent;

constexpr const char* kStandard = "-";  // standard output, or standard input

// The database, opened for this command alone: what it holds does not grow old meanwhile.
class OpenDatabase : spec::NonCopyable {
 public:
  // An export has room for everything.
  OpenDatabase(state::disk::DiskState& disk, state::StoreLimits limits, std::size_t journal_bytes)
      : disk_(held_back(disk)),
        store_(state::system_now, limits, disk.open_cells()),
        journal_(journal_bytes + 2 * disk.kept_journal_bytes()) {
    disk_.restore(store_, journal_);
  }

  // Leaves the database as it was, unless finish() was called.
  ~OpenDatabase() { disk_.discard(); }

  state::Store& store() { return store_; }

  state::Journal& journal() { return journal_; }

  void finish() { disk_.finish(); }

 private:
  // Before the store writes anything.
  static state::disk::DiskState& held_back(state::disk::DiskState& disk) {
    disk.hold_back();
    return disk;
  }

  state::disk::DiskState& disk_;
  state::Store store_;
  state::MemoryJournal journal_;
};

state::StoreLimits without_bounds() {
  constexpr auto kAll = std::numeric_limits<std::size_t>::max() / 2;
  return {kAll, kAll, std::chrono::seconds(0)};
}

std::string in_words(const std::string& session) {
  return session.empty() ? "the default session" : "session " + spec::text::in_quotes(session);
}

void write_file(const std::string& file, const std::string& text) {
  if (file == kStandard) {
    std::cout << text << std::flush;
    if (!std::cout) {
      throw spec::LoadError("standard output", "cannot be written");
    }
    return;
  }
  if (const auto why = spec::document::replace_file(file, text); !why.empty()) {
    throw spec::LoadError(file, "cannot be written: " + why +
                                    "; make its folder, and allow this user to write there");
  }
}

std::string read_file(const std::string& file) {
  if (file == kStandard) {
    return {std::istreambuf_iterator<char>(std::cin), {}};
  }
  auto text = spec::document::read_file(file);
  if (!text) {
    throw spec::LoadError(
        file, "cannot be read: " + text.error() + "; name a file of \"mock_server state export\"");
  }
  return std::move(*text);
}

std::string counted(std::size_t sessions) {
  return std::to_string(sessions) + (sessions == 1 ? " session" : " sessions");
}

void export_state(const Options& options) {
  const StateCommand& command = *options.state_command;
  const std::string& path = options.state.file;
  if (!std::filesystem::exists(path)) {
    state::disk::reject_file(path, "is not there; name the file that the mock keeps its state in");
  }
  state::disk::DiskState disk(path);
  OpenDatabase database(disk, without_bounds(), options.journal_bytes);
  const auto content = state::transfer::take_out(database.store(), database.journal(),
                                                 disk.contract(), command.session);
  if (!content) {
    state::disk::reject_file(path, "has no " + in_words(*command.session));
  }
  write_file(command.file, state::transfer::write_content(*content));
  // Beside the state there is nothing on standard output.
  (command.file == kStandard ? std::cerr : std::cout)
      << (command.file == kStandard ? "standard output" : command.file) << ": "
      << counted(content->sessions.size()) << " exported\n";
}

// The part of the file that the command wants.
StateContent wanted_content(const StateCommand& command, const std::string& text) {
  const std::string name = command.file == kStandard ? "standard input" : command.file;
  StateContent content = state::transfer::read_content(name, text);
  if (command.session) {
    std::erase_if(content.sessions, [&](const auto& one) { return one.name != *command.session; });
    content.armed_for_all.reset();
    if (content.sessions.empty()) {
      throw spec::LoadError(name, "has no " + in_words(*command.session));
    }
  }
  return content;
}

// Puts all of it into the database, or nothing. `bytes`: how long it is as text.
void import_content(const Options& options, const StateContent& content, std::size_t bytes) {
  const std::string& path = options.state.file;
  state::disk::DiskState disk = std::filesystem::exists(path)
                                    ? state::disk::DiskState(path)
                                    : state::disk::DiskState(path, content.contract);
  if (const auto problem = state::contract_problem(disk.contract(), content.contract);
      !problem.empty()) {
    state::disk::reject_file(path, "has the state of " + problem + "; name another file");
  }
  auto limits = options.sessions;
  limits.idle = std::chrono::seconds(0);
  // An entry takes less than twice the bytes of its text.
  OpenDatabase database(disk, limits, options.journal_bytes + 2 * bytes);
  if (const auto problem = state::transfer::put_in(database.store(), database.journal(), content);
      !problem.empty()) {
    state::disk::reject_file(path, problem);
  }
  database.finish();
  if (const auto problem = disk.problem(); !problem.empty()) {
    state::disk::reject_file(path, problem + "; nothing was imported");
  }
}

void remove_database(const std::string& path) {
  std::error_code ignored;
  for (const char* const part : {"", "-wal", "-shm"}) {
    std::filesystem::remove(path + part, ignored);
  }
}

void import_state(const Options& options) {
  const std::string text = read_file(options.state_command->file);
  const StateContent content = wanted_content(*options.state_command, text);
  const std::string& path = options.state.file;
  const bool is_new = !std::filesystem::exists(path);
  try {
    import_content(options, content, text.size());
  } catch (...) {
    if (is_new) {
      remove_database(path);
    }
    throw;
  }
  std::cout << path << ": " << counted(content.sessions.size()) << " imported\n";
}

}  // namespace

CLI::App* register_state_command(CLI::App& app, StateCommand& command) {
  CLI::App* const sub = app.add_subcommand(
      "state",
      "Export the sessions of --state sqlite:FILE to one JSON file, or import them; while no mock "
      "uses it; see state --help");
  sub->fallthrough();
  sub->group("Subcommands");
  sub->option_defaults()->configurable(false);
  sub->add_option("ACTION", command.action, "export or import")
      ->check(spec::process::one_of({"export", "import"}))
      ->type_name("export|import");
  sub->add_option("FILE", command.file,
                  "JSON file to write, or to read; - is standard output or standard input")
      ->type_name("FILE");
  sub->add_option("--session", command.session,
                  "This session alone; \"\" is the default session (default: all)")
      ->type_name("NAME");
  return sub;
}

std::string why_no_transfer(const StateCommand& command, const StateAddress& state) {
  if (command.action.empty() || command.file.empty()) {
    return "state: say export or import, and name a file, for example: mock_server state export "
           "state.json --state sqlite:mock.db";
  }
  return state.kind == StateAddress::Kind::kSqlite
             ? ""
             : "state: name the database with --state sqlite:FILE";
}

void carry_out_state_command(const Options& options) {
  if (options.state_command->action == "export") {
    export_state(options);
  } else {
    import_state(options);
  }
}

}  // namespace mock_server::program
