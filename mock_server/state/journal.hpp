#pragma once

// Requests and responses, the newest kept: exchanges are appended, read back, and explained, only
// when somebody asks. Says how many of a session's exchanges it no longer has. The seam behind
// which the journal lies; in this process that is its memory (memory_journal.hpp).

#include "mock_server/state/session_clock.hpp"
#include "spec/http/message.hpp"
#include "spec/non_copyable.hpp"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace mock_server::state {

// An exchange about to be noted. Views need to live only during the call.
struct Exchange {
  std::uint64_t id = 0;       // from Journal::next_id()
  std::uint64_t session = 0;  // Session::serial()
  TimePoint time;
  std::chrono::nanoseconds took{0};
  std::string_view peer;
  std::string_view operation;   // operation id; "" when none was found
  std::string_view chosen_by;   // "fixture customers/cus_1", "rule primary brand", "example dog"
  std::string_view violations;  // of the request, JSON array text; "" for none
  std::string_view response_violations;  // JSON array text; "" for none
  const spec::http::Request* request = nullptr;
  const spec::http::Response* response = nullptr;
  std::string_view fault;   // that broke the delivery, by name; "" for none
  std::string_view target;  // instead of the request's, when that holds a secret; "" otherwise
  // Fields of the request whose values are secret, besides those that always are: Authorization
  // (its scheme is kept), Proxy-Authorization and the control token.
  std::span<const std::string> hidden_fields;
  // Sizes of the whole bodies, if request and response have a part of them; 0: they are whole.
  std::uint64_t request_body_bytes = 0;
  std::uint64_t response_body_bytes = 0;
  std::uint64_t redacted_at = 0;  // for who reads it, while this process keeps it; 0: unknown
};

// `chosen_by` of a preflight.
inline constexpr std::string_view kPreflight = "preflight";

// The beginning of `chosen_by` if the real service sent no response, and the mock only an error:
// nothing of the contract was exercised.
inline constexpr std::string_view kNoResponse = "upstream: ";

// The replacement of a secret.
inline constexpr std::string_view kHidden = "[hidden]";

// Tells a secret value from others without keeping it: the same for the same text, in this process.
std::uint64_t secret_mark(std::string_view value);

// A field of a request whose value was not kept.
struct HiddenField {
  std::string name;
  std::uint64_t mark = 0;  // of the value
};

// An exchange as it was kept. Long bodies are kept in part; `*_body_bytes` is their whole length.
struct Entry {
  std::uint64_t id = 0;
  std::uint64_t session = 0;
  TimePoint time;
  std::chrono::nanoseconds took{0};
  std::string peer;
  std::string operation;
  std::string chosen_by;
  std::string violations;
  std::string response_violations;
  std::string fault;
  std::vector<HiddenField> hidden;
  spec::http::Request request;
  spec::http::Response response;
  std::uint64_t request_body_bytes = 0;
  std::uint64_t response_body_bytes = 0;
  std::uint64_t redacted_at = 0;  // as in the exchange; 0 for an entry that was kept or shared
};

// The part of a session's past that the journal still has.
struct JournalWindow {
  std::uint64_t noted = 0;  // since the start, or since the session's journal was cleared
  std::uint64_t kept = 0;   // of those, still here; fewer than noted means that old ones went out
  std::uint64_t last_lost_id = 0;  // the highest id that went out
  TimePoint last_lost_time;        // and the latest time
  bool is_partial = false;         // even `noted` is too low: the count itself was given up once
  std::uint64_t added = 0;         // since the start, also before it was cleared
  std::uint64_t preflights = 0;    // of those that are kept

  std::uint64_t lost() const { return noted - kept; }
};

// The parts of an entry that a reader needs. The rest may be missing, which saves its redaction.
enum class NeededParts : std::uint8_t {
  kCounted,  // id, time, session, method, operation, status, fault, and whether it is a preflight
  kHeads,    // all but the bodies
  kAll
};

// The place of a reader who follows the journal. Entries are in the order in which they were
// added, which is nearly that of their ids.
struct JournalMark {
  std::uint64_t place = 0;  // of the next entry, counted from the start
  std::uint64_t added = 0;  // of the session's, if one is followed, before that place
  std::uint64_t id = 0;     // of the entry before it; 0: none
  NeededParts needed = NeededParts::kAll;
};

// Safe from any thread.
class Journal : spec::NonCopyable {
 public:
  virtual ~Journal() = default;

  // Ids count from 1 and are never used twice.
  virtual std::uint64_t next_id() = 0;
  virtual std::uint64_t last_id() const = 0;
  virtual void add(const Exchange& exchange) = 0;

  // Replaces the entry of that id, if it is still there; who followed the journal is not shown it
  // again. A journal that several programs share keeps the entry as it was.
  virtual void amend(const Exchange& /*exchange*/) {}

  // The kept entry `id` of `session`, if it is still there.
  virtual std::optional<Entry> find(std::uint64_t session, std::uint64_t id) const = 0;
  // Shows each kept entry of `session` to `visit`, oldest first. `visit` sees copies, made one at a
  // time, so that a long look does not stop the service.
  void each(std::uint64_t session, const std::function<void(Entry&)>& visit) const;
  // The first mark of a reader who follows `session`, or all without one: behind the newest entry;
  // or, with `after`, behind the entry of that id, also if it is gone. An id that was not given yet
  // is one of an earlier start, and everything is new.
  virtual JournalMark mark(std::optional<std::uint64_t> session,
                           std::optional<std::uint64_t> after) const = 0;
  // Shows the entries from `mark` on, oldest first, until `visit` says false or none is left, and
  // moves `mark` behind them. Returns how many were gone before they could be shown. As with
  // each(), a long look does not stop the service.
  virtual std::uint64_t follow(std::optional<std::uint64_t> session, JournalMark& mark,
                               const std::function<bool(Entry&)>& visit) const = 0;
  virtual JournalWindow window(std::uint64_t session) const = 0;
  // Forgets the exchanges of `session`.
  virtual void clear(std::uint64_t session) = 0;
  // Clears like clear(); entries that are added then are a part of the past, and the window says
  // so.
  virtual void clear_in_part(std::uint64_t session) = 0;

  virtual std::size_t limit_bytes() const = 0;
  virtual std::size_t used_bytes() const = 0;
};

// An exchange as the bytes of an entry of the journal, and back. Numbers are in the machine's own
// order.

// The share of a body in a journal of so many bytes: longer ones are cut.
std::size_t max_body_bytes(std::size_t limit);

// The bodies are cut to their share of `limit`, the bytes of the whole journal.
std::string write_entry(const Exchange& exchange, std::size_t limit);

// Nothing if `bytes` are not as write_entry() makes them.
std::optional<Entry> read_entry(std::string_view bytes);

}  // namespace mock_server::state
