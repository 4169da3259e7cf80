#pragma once

// The SQLite file behind the memory: what is in it, and every statement that reads or changes it.
// It is locked for this process as long as it is open. One thread at a time.

#include "mock_server/state/cells.hpp"
#include "mock_server/state/journal.hpp"
#include "spec/non_copyable.hpp"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

struct sqlite3;
struct sqlite3_stmt;

namespace mock_server::state::disk {

// Why the file could not be read or written, in words: "database or disk is full".
struct FileError {
  std::string reason;
};

// The cells of a session, or of a snapshot of it, as the file names them.
struct Owner {
  std::uint64_t id = 0;
  std::string name;                // "SESSION", "SESSION/SNAPSHOT"
  std::uint64_t serial = 0;        // of the session
  std::uint64_t next_version = 1;  // that no cell ever had
};

struct StoredEntry {
  std::uint64_t place = 0;
  std::uint32_t noted_at = 0;  // seconds since 1970; 0: not known
  std::string bytes;
};

// Throws a spec::LoadError that names the file.
[[noreturn]] void reject_file(const std::string& path, const std::string& message);

class StateFile : spec::NonCopyable {
 public:
  // Opens or makes the file. Throws spec::LoadError with one problem: no file, no folder, no
  // permission, in use, damaged, no state of a mock, or of a newer version.
  explicit StateFile(const std::string& path);
  ~StateFile();

  // They throw FileError, here and below. Reads all of it.
  void check();
  // Throws also when the file is no longer where it was.
  void begin();
  void commit();
  // After a failure; never throws.
  void roll_back() noexcept;

  void put_owner(const Owner& owner);
  // No session gets `serial` or a lower one any more.
  void use_serial(std::uint64_t serial);
  void drop_owner(std::uint64_t owner);
  void put_cell(std::uint64_t owner, std::string_view key, const Cell& cell);
  void remove_cell(std::uint64_t owner, std::string_view key);
  void clear_cells(std::uint64_t owner);
  void expire_cells(std::uint64_t owner, TimePoint now);
  void put_value(std::string_view name, std::string_view text);
  void add_entry(const StoredEntry& entry, std::uint64_t session);
  void drop_entries();
  void drop_entries_before(std::uint64_t place);
  void clear_entries(std::uint64_t session);
  void put_window(std::uint64_t session, const JournalWindow& window);

  std::vector<Owner> owners();
  // The cells of all owners.
  std::map<std::uint64_t, Cells> cells();
  Cells cells_of(std::uint64_t owner);
  std::optional<std::string> value(std::string_view name);
  std::vector<StoredEntry> entries();
  std::map<std::uint64_t, JournalWindow> windows();

 private:
  class Statement;

  sqlite3_stmt* prepared(const char* text);
  void execute(const char* text);
  void set_up(const std::string& path);
  void close();
  void make_tables(std::int64_t format);
  [[noreturn]] void fail() const;

  const std::string path_;
  bool writes_ = false;
  sqlite3* database_ = nullptr;
  std::map<const char*, sqlite3_stmt*> statements_;
};

}  // namespace mock_server::state::disk
