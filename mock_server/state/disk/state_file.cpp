#include "mock_server/state/disk/state_file.hpp"

#include "spec/load_error.hpp"
#include "spec/non_copyable.hpp"

#include <zlib.h>

#include <array>
#include <chrono>
#include <filesystem>
#include <limits>
#include <memory>
#include <sqlite3.h>
#include <utility>

namespace mock_server::state::disk {
namespace {

constexpr std::int64_t kFormat = 3;
constexpr std::int64_t kApplication = 0x43505354;  // "CPST"; other files have another id

constexpr const char* kTables =
    "CREATE TABLE owner (id INTEGER PRIMARY KEY, name TEXT NOT NULL, serial INTEGER NOT NULL,"
    " next_version INTEGER NOT NULL);"
    "CREATE TABLE cell (owner INTEGER NOT NULL, key TEXT NOT NULL, version INTEGER NOT NULL,"
    " text BLOB NOT NULL, expires INTEGER, PRIMARY KEY (owner, key)) WITHOUT ROWID;"
    "CREATE TABLE value (name TEXT PRIMARY KEY, text BLOB NOT NULL) WITHOUT ROWID;"
    "CREATE TABLE entry (place INTEGER PRIMARY KEY, session INTEGER NOT NULL, bytes BLOB NOT NULL);"
    "CREATE TABLE window (session INTEGER PRIMARY KEY, noted INTEGER NOT NULL,"
    " added INTEGER NOT NULL, last_lost_id INTEGER NOT NULL, last_lost_time INTEGER NOT NULL,"
    " is_partial INTEGER NOT NULL);";

// The changes of each format from the one before.
constexpr std::array<const char*, kFormat> kSteps{
    kTables, "ALTER TABLE entry ADD COLUMN noted INTEGER NOT NULL DEFAULT 0;",
    "ALTER TABLE cell ADD COLUMN checksum INTEGER;"};  // null: written before there was one

std::string opening_problem(int code, const std::string& reason) {
  switch (code & 0xFF) {
    case SQLITE_BUSY:
    case SQLITE_LOCKED: return "is in use by another process; end that one, or name another file";
    case SQLITE_CANTOPEN:
      return "cannot be opened; make its folder, and allow this user to write there";
    case SQLITE_READONLY:
    case SQLITE_PERM: return "cannot be written; allow this user to write the file and its folder";
    case SQLITE_NOTADB: return "is not a state file of mock_server; name another file";
    case SQLITE_CORRUPT: return "is damaged (" + reason + "); restore a copy, or name another file";
    default: return "cannot be used: " + reason;
  }
}

// SQLite has other uses for some names, and for what is no file.
void check_name(const std::string& path) {
  std::error_code unknown;
  const auto status = std::filesystem::status(path, unknown);
  const bool is_other =
      std::filesystem::exists(status) && !std::filesystem::is_regular_file(status);
  if (path.starts_with(':') || path.starts_with("file:") || is_other) {
    reject_file(path,
                "is no file; name one, for example sqlite:mock.db, or leave --state out: state "
                "is in memory then");
  }
}

// The checksum of everything in a cell, and of its place.
std::uint64_t checksum(std::uint64_t owner, std::string_view key, const Cell& cell) {
  const std::string place =
      std::to_string(owner) + ' ' + std::to_string(cell.version) + ' ' +
      std::to_string(cell.expires ? cell.expires->time_since_epoch().count() : 0) + ' ';
  uLong sum = crc32_z(0, nullptr, 0);
  for (const std::string_view part : {std::string_view(place), key, cell.view()}) {
    sum = crc32_z(sum, reinterpret_cast<const Bytef*>(part.data()), part.size());
  }
  return sum;
}

}  // namespace

void reject_file(const std::string& path, const std::string& message) {
  throw spec::LoadError("--state sqlite:" + path, message);
}

// One run of a prepared statement; made ready for the next one at the end.
class StateFile::Statement : spec::NonCopyable {
 public:
  Statement(StateFile& file, const char* text) : file_(file), statement_(file.prepared(text)) {}

  ~Statement() {
    sqlite3_reset(statement_);
    sqlite3_clear_bindings(statement_);
  }

  Statement& bind(std::uint64_t number) {
    sqlite3_bind_int64(statement_, ++bound_, static_cast<sqlite3_int64>(number));
    return *this;
  }

  Statement& bind(TimePoint time) {
    sqlite3_bind_int64(statement_, ++bound_, time.time_since_epoch().count());
    return *this;
  }

  Statement& text(std::string_view text) {
    sqlite3_bind_text64(statement_, ++bound_, text.data(), text.size(), SQLITE_STATIC, SQLITE_UTF8);
    return *this;
  }

  // Views must live until the statement is over.
  Statement& bytes(std::string_view bytes) {
    sqlite3_bind_blob64(statement_, ++bound_, bytes.empty() ? "" : bytes.data(), bytes.size(),
                        SQLITE_STATIC);
    return *this;
  }

  Statement& nothing() {
    sqlite3_bind_null(statement_, ++bound_);
    return *this;
  }

  // True when there is a row.
  bool step() {
    const int code = sqlite3_step(statement_);
    if (code != SQLITE_ROW && code != SQLITE_DONE) {
      file_.fail();
    }
    return code == SQLITE_ROW;
  }

  std::int64_t number(int column) { return sqlite3_column_int64(statement_, column); }

  std::uint64_t whole(int column) { return static_cast<std::uint64_t>(number(column)); }

  TimePoint time(int column) { return TimePoint(TimePoint::duration(number(column))); }

  bool is_nothing(int column) { return sqlite3_column_type(statement_, column) == SQLITE_NULL; }

  std::string string(int column) {
    const auto* const bytes = static_cast<const char*>(sqlite3_column_blob(statement_, column));
    const auto size = static_cast<std::size_t>(sqlite3_column_bytes(statement_, column));
    return bytes == nullptr ? std::string() : std::string(bytes, size);
  }

  // The cell in a row of the table.
  std::pair<std::string, Cell> cell() {
    std::pair<std::string, Cell> made{
        string(1), {whole(2), std::make_shared<const std::string>(string(3)), {}}};
    if (!is_nothing(4)) {
      made.second.expires = time(4);
    }
    if (!is_nothing(5) && whole(5) != checksum(whole(0), made.first, made.second)) {
      throw FileError{"the checksum of a cell is wrong"};
    }
    return made;
  }

 private:
  StateFile& file_;
  sqlite3_stmt* statement_;
  int bound_ = 0;
};

StateFile::StateFile(const std::string& path) : path_(path) {
  check_name(path);
  try {
    set_up(path);
  } catch (const FileError& error) {
    const int code = sqlite3_extended_errcode(database_);
    close();
    reject_file(path, opening_problem(code, error.reason));
  } catch (...) {
    close();
    throw;
  }
}

StateFile::~StateFile() {
  close();
}

void StateFile::close() {
  for (const auto& entry : statements_) {
    sqlite3_finalize(entry.second);
  }
  statements_.clear();
  sqlite3_close_v2(std::exchange(database_, nullptr));
}

void StateFile::set_up(const std::string& path) {
  if (sqlite3_open_v2(path.c_str(), &database_,
                      SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX,
                      nullptr) != SQLITE_OK) {
    fail();
  }
  // The lock is held until the file is closed; so the log needs no shared memory either.
  execute("PRAGMA locking_mode = EXCLUSIVE");
  execute("BEGIN EXCLUSIVE; COMMIT");
  const auto number_of = [this](const char* pragma) {
    Statement statement(*this, pragma);
    return statement.step() ? statement.number(0) : 0;
  };
  const bool is_new = number_of("SELECT count(*) FROM sqlite_schema") == 0;
  if (!is_new && number_of("PRAGMA application_id") != kApplication) {
    reject_file(path, opening_problem(SQLITE_NOTADB, ""));
  }
  const std::int64_t format = is_new ? 0 : number_of("PRAGMA user_version");
  if (format > kFormat) {
    reject_file(path, "was written by a newer mock_server; use that one, or name another file");
  }
  execute("PRAGMA journal_mode = WAL");
  // The kernel keeps what a killed process wrote; only a power failure may take the last moments.
  execute("PRAGMA synchronous = NORMAL");
  if (format < kFormat) {
    make_tables(format);
  }
}

// From those of `format`; 0: there are none.
void StateFile::make_tables(std::int64_t format) {
  execute("BEGIN");
  for (std::int64_t at = format; at < kFormat; ++at) {
    execute(kSteps.at(static_cast<std::size_t>(at)));
  }
  execute(("PRAGMA application_id = " + std::to_string(kApplication)).c_str());
  execute(("PRAGMA user_version = " + std::to_string(kFormat)).c_str());
  execute("COMMIT");
}

void StateFile::fail() const {
  throw FileError{database_ == nullptr ? "out of memory" : sqlite3_errmsg(database_)};
}

sqlite3_stmt* StateFile::prepared(const char* text) {
  sqlite3_stmt*& statement = statements_[text];
  if (statement == nullptr && sqlite3_prepare_v3(database_, text, -1, SQLITE_PREPARE_PERSISTENT,
                                                 &statement, nullptr) != SQLITE_OK) {
    fail();
  }
  return statement;
}

void StateFile::execute(const char* text) {
  if (sqlite3_exec(database_, text, nullptr, nullptr, nullptr) != SQLITE_OK) {
    fail();
  }
}

void StateFile::check() {
  Statement statement(*this, "PRAGMA quick_check(1)");
  if (statement.step() && statement.string(0) != "ok") {
    throw FileError{statement.string(0)};
  }
}

void StateFile::begin() {
  int has_moved = 0;
  sqlite3_file_control(database_, "main", SQLITE_FCNTL_HAS_MOVED, &has_moved);
  if (has_moved != 0 || (writes_ && !std::filesystem::exists(path_ + "-wal"))) {
    throw FileError{
        "it was deleted, moved or replaced; put it back with its -wal, or start the mock again"};
  }
  writes_ = true;  // from now on there is a log beside the file
  Statement(*this, "BEGIN IMMEDIATE").step();
}

void StateFile::commit() {
  Statement(*this, "COMMIT").step();
}

void StateFile::roll_back() noexcept {
  if (sqlite3_get_autocommit(database_) == 0) {
    sqlite3_exec(database_, "ROLLBACK", nullptr, nullptr, nullptr);
  }
}

void StateFile::put_owner(const Owner& owner) {
  Statement(*this,
            "INSERT INTO owner VALUES (?, ?, ?, ?) ON CONFLICT (id) DO UPDATE SET"
            " next_version = max(next_version, excluded.next_version)")
      .bind(owner.id)
      .text(owner.name)
      .bind(owner.serial)
      .bind(owner.next_version)
      .step();
}

void StateFile::use_serial(std::uint64_t serial) {
  Statement(
      *this,
      "INSERT INTO value VALUES ('next_serial', ?1) ON CONFLICT (name) DO UPDATE SET text = ?1"
      " WHERE CAST(CAST(text AS TEXT) AS INTEGER) < ?1")
      .bind(serial + 1)
      .step();
}

void StateFile::drop_owner(std::uint64_t owner) {
  clear_cells(owner);
  Statement(*this, "DELETE FROM owner WHERE id = ?").bind(owner).step();
}

void StateFile::put_cell(std::uint64_t owner, std::string_view key, const Cell& cell) {
  Statement statement(*this, "INSERT OR REPLACE INTO cell VALUES (?, ?, ?, ?, ?, ?)");
  statement.bind(owner).text(key).bind(cell.version).bytes(*cell.text);
  if (cell.expires) {
    statement.bind(*cell.expires);
  } else {
    statement.nothing();
  }
  statement.bind(checksum(owner, key, cell)).step();
}

void StateFile::remove_cell(std::uint64_t owner, std::string_view key) {
  Statement(*this, "DELETE FROM cell WHERE owner = ? AND key = ?").bind(owner).text(key).step();
}

void StateFile::clear_cells(std::uint64_t owner) {
  Statement(*this, "DELETE FROM cell WHERE owner = ?").bind(owner).step();
}

void StateFile::expire_cells(std::uint64_t owner, TimePoint now) {
  Statement(*this, "DELETE FROM cell WHERE owner = ? AND expires <= ?")
      .bind(owner)
      .bind(now)
      .step();
}

void StateFile::put_value(std::string_view name, std::string_view text) {
  Statement(*this, "INSERT OR REPLACE INTO value VALUES (?, ?)").text(name).bytes(text).step();
}

void StateFile::add_entry(const StoredEntry& entry, std::uint64_t session) {
  Statement(*this, "INSERT OR REPLACE INTO entry VALUES (?, ?, ?, ?)")
      .bind(entry.place)
      .bind(session)
      .bytes(entry.bytes)
      .bind(std::uint64_t{entry.noted_at})
      .step();
}

void StateFile::drop_entries() {
  Statement(*this, "DELETE FROM entry").step();
}

void StateFile::drop_entries_before(std::uint64_t place) {
  Statement(*this, "DELETE FROM entry WHERE place < ?").bind(place).step();
}

void StateFile::clear_entries(std::uint64_t session) {
  Statement(*this, "DELETE FROM entry WHERE session = ?").bind(session).step();
}

void StateFile::put_window(std::uint64_t session, const JournalWindow& window) {
  Statement(*this, "INSERT OR REPLACE INTO window VALUES (?, ?, ?, ?, ?, ?)")
      .bind(session)
      .bind(window.noted)
      .bind(window.added)
      .bind(window.last_lost_id)
      .bind(window.last_lost_time)
      .bind(std::uint64_t{window.is_partial ? 1U : 0U})
      .step();
}

std::vector<Owner> StateFile::owners() {
  std::vector<Owner> all;
  Statement rows(*this, "SELECT id, name, serial, next_version FROM owner ORDER BY id");
  while (rows.step()) {
    all.push_back({rows.whole(0), rows.string(1), rows.whole(2), rows.whole(3)});
  }
  return all;
}

std::map<std::uint64_t, Cells> StateFile::cells() {
  std::map<std::uint64_t, Cells> all;
  Statement rows(*this, "SELECT * FROM cell");
  while (rows.step()) {
    all[rows.whole(0)].insert(rows.cell());
  }
  return all;
}

Cells StateFile::cells_of(std::uint64_t owner) {
  Cells cells;
  Statement rows(*this, "SELECT * FROM cell WHERE owner = ?");
  rows.bind(owner);
  while (rows.step()) {
    cells.insert(rows.cell());
  }
  return cells;
}

std::optional<std::string> StateFile::value(std::string_view name) {
  Statement row(*this, "SELECT text FROM value WHERE name = ?");
  row.text(name);
  return row.step() ? std::optional(row.string(0)) : std::nullopt;
}

std::vector<StoredEntry> StateFile::entries() {
  std::vector<StoredEntry> all;
  Statement rows(*this, "SELECT place, noted, bytes FROM entry ORDER BY place");
  while (rows.step()) {
    all.push_back({rows.whole(0), static_cast<std::uint32_t>(rows.whole(1)), rows.string(2)});
  }
  return all;
}

std::map<std::uint64_t, JournalWindow> StateFile::windows() {
  std::map<std::uint64_t, JournalWindow> all;
  Statement rows(*this,
                 "SELECT session, noted, added, last_lost_id, last_lost_time, is_partial"
                 " FROM window");
  while (rows.step()) {
    JournalWindow& window = all[rows.whole(0)];
    window.noted = rows.whole(1);
    window.added = rows.whole(2);
    window.last_lost_id = rows.whole(3);
    window.last_lost_time = rows.time(4);
    window.is_partial = rows.number(5) != 0;
  }
  return all;
}

}  // namespace mock_server::state::disk
