#include "mock_server/service/seed.hpp"

#include "mock_server/state/cell_names.hpp"

#include <string>

namespace mock_server::service {

std::uint64_t seed_of(const Call& call) {
  const state::Cell cell = call.session->read(state::kSeedCell);
  return cell ? std::stoull(*cell.text) : call.lazy_generator.seed();
}

std::chrono::seconds dates_moved_by(const Call& call) {
  using std::chrono::days;
  using std::chrono::sys_days;
  if (call.session->is_untouched() || call.session->clock() == state::ClockSetting{}) {
    return std::chrono::seconds{0};
  }
  constexpr sys_days kEndOf2025{std::chrono::year{2026} / 1 / 1};
  return std::chrono::floor<days>(call.session->now()) - kEndOf2025;
}

}  // namespace mock_server::service
