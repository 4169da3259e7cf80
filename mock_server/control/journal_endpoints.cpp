#include "mock_server/control/journal_endpoints.hpp"

#include "mock_server/control/describe.hpp"
#include "mock_server/control/refusal.hpp"
#include "mock_server/fixtures/answer.hpp"

#include <nlohmann/json.hpp>

#include <cstdint>
#include <deque>

namespace mock_server::control {
namespace {

using fixtures::ErrorKind;
using fixtures::json_response;
using nlohmann::json;
using spec::http::Response;

constexpr std::uint64_t kDefaultLimit = 100;

std::uint64_t number(const Ask& ask, std::string_view name, std::uint64_t otherwise) {
  const json* const given = ask.query(name);
  return given == nullptr ? otherwise : given->get<std::uint64_t>();
}

}  // namespace

json window_of(const Scene& scene) {
  const auto window = scene.journal.window(scene.session.serial());
  return {{"noted", window.noted}, {"kept", window.kept}, {"lost", window.noted - window.kept}};
}

Response list_requests(const Ask& ask) {
  const auto limit = number(ask, "limit", kDefaultLimit);
  const auto after = number(ask, "after", 0);
  std::deque<json> newest;
  ask.scene.journal.each(ask.scene.session.serial(), [&](const state::Entry& entry) {
    if (entry.id <= after) {
      return;
    }
    newest.push_back(summarise(entry));
    if (newest.size() > limit) {
      newest.pop_front();
    }
  });
  return json_response(200, {{"session", ask.scene.session.name()},
                             {"requests", json(newest)},
                             {"window", window_of(ask.scene)}});
}

Response clear_requests(const Ask& ask) {
  ask.scene.journal.clear(ask.scene.session.serial());
  return json_response(200, {{"session", ask.scene.session.name()}, {"cleared", true}});
}

Response show_request(const Ask& ask) {
  const auto& id = ask.reading.path["id"];
  const auto entry =
      id.is_number_unsigned() || id.is_number_integer()
          ? ask.scene.journal.find(ask.scene.session.serial(), id.get<std::uint64_t>())
          : std::nullopt;
  if (!entry) {
    const auto window = ask.scene.journal.window(ask.scene.session.serial());
    return refuse(ErrorKind::kNotFound, "this session's journal has no request " +
                                            ask.argument.substr(0, 60) + "; of " +
                                            std::to_string(window.noted) + " noted it still has " +
                                            std::to_string(window.kept));
  }
  return json_response(200, explain(*entry, ask.scene.session.name()));
}

}  // namespace mock_server::control
