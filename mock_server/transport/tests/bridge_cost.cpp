// What a request costs on the seam with cpp-httplib, and what the same answer costs without it:
// nanoseconds each, measured in one run. Both make the same bytes, which is checked first.

#include "mock_server/transport/answer.hpp"
#include "mock_server/transport/bridge.hpp"
#include "mock_server/transport/clock.hpp"
#include "mock_server/transport/tests/support/handler.hpp"

#include <algorithm>
#include <cstdio>
#include <string>
#include <vector>

namespace {

using namespace mock_server;
using namespace mock_server::transport;

constexpr int kRounds = 7;
constexpr int kRequests = 100'000;

// What the bridge does, without the library: ask the service, write the head.
void answer_directly(const service::Handler& handler, const spec::http::Request& request,
                     const service::Peer& peer, DateText& date, Answer& answer) {
  service::Reply reply = handler(request, peer);
  answer.head.assign("HTTP/1.1 ").append(std::to_string(reply.response.status)).append(" ");
  answer.head.append(spec::http::reason_phrase(reply.response.status)).append("\r\n");
  if (!is_writable(reply.response.headers)) {
    return;
  }
  append_fields(answer.head, reply.response.headers);
  append_connection_fields(answer.head, date.now(), Persistence::kKeep);
  answer.head.append("Content-Length: ").append(std::to_string(reply.response.body.size()));
  answer.head.append("\r\n\r\n");
  answer.body = std::move(reply.response.body);
}

// The head's lines in order of the alphabet: the two write them in different orders.
std::vector<std::string> lines_of(const std::string& head) {
  std::vector<std::string> lines;
  for (std::size_t at = 0; at < head.size(); at = head.find("\r\n", at) + 2) {
    lines.push_back(head.substr(at, head.find("\r\n", at) - at));
  }
  std::sort(lines.begin(), lines.end());
  return lines;
}

// The median of some rounds, in nanoseconds a call.
template <typename Call>
double cost_of(Call call) {
  std::vector<double> rounds;
  for (int round = 0; round < kRounds; ++round) {
    const Time before = SteadyClock::now();
    for (int at = 0; at < kRequests; ++at) {
      call();
    }
    const std::chrono::duration<double, std::nano> time = SteadyClock::now() - before;
    rounds.push_back(time.count() / kRequests);
  }
  std::nth_element(rounds.begin(), rounds.begin() + kRounds / 2, rounds.end());
  return rounds[kRounds / 2];
}

}  // namespace

int main() {
  const service::Handler handler = testing::handler();
  const spec::http::Request request{"GET", "/", {{"Host", "a"}}, ""};
  const service::Peer peer;
  Bridge bridge(handler);
  DateText date;
  Answer direct;
  answer_directly(handler, request, peer, date, direct);
  const Answer& bridged = bridge.answer(request, peer, Persistence::kKeep);
  if (lines_of(bridged.head) != lines_of(direct.head) || bridged.body != direct.body) {
    std::printf("the two differ:\n%s\n%s\n", bridged.head.c_str(), direct.head.c_str());
    return 1;
  }
  const double with = cost_of([&] { bridge.answer(request, peer, Persistence::kKeep); });
  const double without = cost_of([&] { answer_directly(handler, request, peer, date, direct); });
  const double service = cost_of([&] { handler(request, peer); });
  std::printf("with cpp-httplib %.0f ns, without %.0f ns, of which the service takes %.0f ns\n",
              with, without, service);
  return 0;
}
