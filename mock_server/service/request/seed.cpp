#include "mock_server/service/request/seed.hpp"

#include "mock_server/state/cell_names.hpp"

#include <string>

namespace mock_server::service::request {

std::uint64_t seed_of(const RequestContext& context) {
  const state::Cell cell = context.session->read(state::kSeedCell);
  return cell ? state::number_in(cell) : context.lazy_generator.seed();
}

std::chrono::seconds dates_moved_by(const RequestContext& context) {
  using std::chrono::days;
  using std::chrono::sys_days;
  if (context.session->is_untouched() || context.session->clock() == state::ClockSetting{}) {
    return std::chrono::seconds{0};
  }
  constexpr sys_days kEndOf2025{std::chrono::year{2026} / 1 / 1};
  return std::chrono::floor<days>(context.session->now()) - kEndOf2025;
}

}  // namespace mock_server::service::request
