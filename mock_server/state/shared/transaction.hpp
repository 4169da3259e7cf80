#pragma once

// The reads and changes of one request in a session: reads come from the copy of the session,
// changes stay here until commit(), and then all of them are made, or none. One thread at a time.

#include "mock_server/state/cells.hpp"
#include "mock_server/state/session_store.hpp"

#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>

namespace mock_server::state::shared {

class SharedCells;

// The changes that one call asks of Redis.
struct ChangeSet {
  std::uint64_t base = 0;   // version of the session on which it rests
  bool needs_base = false;  // only if the session has that version still
  bool replaces = false;    // cells that are not in `writes` go
  std::map<std::string, std::uint64_t, std::less<>>
      reads;          // cells, and the versions they must have
  Cells writes;       // one without a text goes
  std::string entry;  // of the journal; "" for none

  bool is_change() const { return replaces || !writes.empty(); }
};

class Transaction {
 public:
  // `cells` must outlive it.
  explicit Transaction(SharedCells& cells);

  bool concerns(const SharedCells& cells) const { return &cells_ == &cells; }

  std::size_t count();
  Cell read(std::string_view key);
  Cells all();
  Put compare_and_set(std::string_view key, std::uint64_t expected, std::optional<std::string> text,
                      std::optional<TimePoint> expires);
  Put replace(const Cells& cells);

  void note_entry(std::string entry) { changes_.entry = std::move(entry); }

  // False if another change came before it: nothing was done, begin anew. Throws Unavailable.
  bool commit();

 private:
  void write(std::string_view key, Cell cell);
  bool rests_on_all() const;

  SharedCells& cells_;
  ChangeSet changes_;
  std::uint64_t next_version_;  // of a change that is only here
  bool saw_all_ = false;
  bool saw_nothing_ = false;
};

// The transaction of the request that this thread works on. Made before the service is asked, and
// gone after its response is made. At most one for each thread.
class RequestScope final : public RequestState {
 public:
  RequestScope();
  ~RequestScope() override;

  // The scope of this thread; null if there is none.
  static RequestScope* current();
  // Null if the request has none for these cells.
  static Transaction* transaction_of(const SharedCells& cells);
  static Transaction* transaction();

  // Requests of this process that change the same cells take turns, once one of them lost a race:
  // to be called before the session is loaded. Throws Unavailable when the turn does not come.
  void take_turn(const std::shared_ptr<SharedCells>& cells);
  void begin(std::shared_ptr<SharedCells> cells);
  void drop();

  // Commits what began; waits a little if it must be tried again.
  Commit commit();

 private:
  std::shared_ptr<SharedCells> cells_;
  std::optional<Transaction> transaction_;
  std::unique_lock<std::timed_mutex> turn_;
  std::shared_ptr<SharedCells> turn_of_;
  std::uint32_t tries_ = 0;
};

}  // namespace mock_server::state::shared
