#include "mock_server/state/rate_limit.hpp"

#include "mock_server/state/cells.hpp"
#include "mock_server/state/session_store.hpp"

#include <algorithm>
#include <string>
#include <vector>

namespace mock_server::state {
namespace {

using std::chrono::microseconds;
using std::chrono::seconds;

seconds until(TimePoint end, TimePoint now) {
  return std::max(std::chrono::ceil<seconds>(end - now), seconds{1});
}

TimePoint at(std::int64_t count) {
  return TimePoint(microseconds(count));
}

// The effect of a call on a cell: the decision, the new text, and the time from which the cell is
// not needed.
struct RateCharge {
  RateDecision decision;
  std::string text;
  TimePoint expires;
};

// The cell holds start, end and count of the window.
RateCharge take_window(const std::vector<std::int64_t>& kept, const RateLimit& limit,
                       TimePoint now) {
  TimePoint start = now;
  TimePoint end = now + limit.window;
  std::uint64_t count = 0;
  // A clock that was set back starts a new window too.
  if (kept.size() == 3 && now < at(kept[1]) && now >= at(kept[0])) {
    start = at(kept[0]);
    end = at(kept[1]);
    count = static_cast<std::uint64_t>(kept[2]);
  }
  const bool allowed = count < limit.requests;
  count += allowed ? 1 : 0;
  return {{allowed, limit.requests, limit.requests - std::min(count, limit.requests), end,
           until(end, now)},
          write_numbers({start.time_since_epoch().count(), end.time_since_epoch().count(),
                         static_cast<std::int64_t>(count)}),
          end};
}

// The cell holds the time at which the bucket will be full again: each call moves it on by the time
// that one call takes to refill, and may not move it further than a whole bucket ahead of now.
RateCharge take_bucket(const std::vector<std::int64_t>& kept, const RateLimit& limit,
                       TimePoint now) {
  const microseconds each = microseconds(limit.window) /
                            static_cast<std::int64_t>(std::max<std::uint64_t>(limit.requests, 1));
  const microseconds whole = each * static_cast<std::int64_t>(limit.burst);
  TimePoint full = kept.size() == 1 ? std::max(at(kept[0]), now) : now;
  full = std::min(full, now + whole);  // a clock that was set back
  const bool allowed = limit.requests > 0 && full + each <= now + whole;
  full += allowed ? each : microseconds{0};
  const microseconds room = whole - (full - now);
  const auto remaining = each.count() > 0 ? room.count() / each.count() : 0;
  return {{allowed, limit.burst, static_cast<std::uint64_t>(std::max<std::int64_t>(remaining, 0)),
           full, until(now + each - room, now)},
          write_numbers({full.time_since_epoch().count()}),
          full};
}

}  // namespace

RateDecision take_rate(Session& session, std::string_view key, const RateLimit& limit) {
  const std::string name = std::string(kRateCells) + std::string(key);
  while (true) {
    const Cell cell = session.read(name);
    const TimePoint now = session.now();
    const auto kept = read_numbers(cell.view());
    RateCharge taken =
        limit.is_bucket() ? take_bucket(kept, limit, now) : take_window(kept, limit, now);
    // If the session has no memory for the count, the call is allowed.
    if (!taken.decision.allowed ||
        session.compare_and_set(name, cell.version, std::move(taken.text), taken.expires) !=
            Put::kStale) {
      return taken.decision;
    }
  }
}

}  // namespace mock_server::state
