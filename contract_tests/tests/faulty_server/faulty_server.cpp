#include "contract_tests/tests/faulty_server/faulty_server.hpp"

#include "contract_tests/tests/faulty_server/lists.hpp"
#include "contract_tests/tests/faulty_server/transform.hpp"
#include "spec/http/request_parser.hpp"
#include "spec/json/pointer.hpp"
#include "spec/json/read.hpp"
#include "spec/json/value.hpp"

#include <algorithm>
#include <arpa/inet.h>
#include <array>
#include <chrono>
#include <iterator>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>
#include <utility>

namespace contract_tests::faulty_server {

using nlohmann::json;
using spec::http::Request;

namespace {

constexpr int kTickMs = 50;  // how soon a stop is seen

bool is_readable(int descriptor, const std::atomic<bool>& stopping) {
  while (!stopping) {
    pollfd entry{.fd = descriptor, .events = POLLIN, .revents = 0};
    if (::poll(&entry, 1, kTickMs) > 0) {
      return true;
    }
  }
  return false;
}

bool write_all(int descriptor, std::string_view bytes) {
  while (!bytes.empty()) {
    const auto put = ::send(descriptor, bytes.data(), bytes.size(), MSG_NOSIGNAL);
    if (put <= 0) {
      return false;
    }
    bytes.remove_prefix(static_cast<std::size_t>(put));
  }
  return true;
}

bool write_pieces(int descriptor, std::string_view bytes, std::size_t piece) {
  constexpr auto kPause = std::chrono::milliseconds(1);
  while (!bytes.empty()) {
    if (!write_all(descriptor, bytes.substr(0, piece))) {
      return false;
    }
    bytes.remove_prefix(std::min(piece, bytes.size()));
    std::this_thread::sleep_for(kPause);
  }
  return true;
}

// A body in chunks that ends when the peer has had enough.
bool write_endlessly(int descriptor, const std::atomic<bool>& stopping) {
  constexpr std::size_t kBlock = 0x4000;
  const auto chunk = "4000\r\n" + std::string(kBlock, 'x') + "\r\n";
  while (!stopping && write_all(descriptor, chunk)) {
  }
  return false;
}

}  // namespace

FaultyServer::FaultyServer(client::BaseUrl mock, const client::Trust& trust,
                           std::vector<Behaviour> behaviours, std::string session)
    : mock_(std::move(mock)),
      behaviours_(std::move(behaviours)),
      session_(std::move(session)),
      trust_(trust) {
  listener_ = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t size = sizeof address;
  ::bind(listener_, reinterpret_cast<sockaddr*>(&address), size);
  ::listen(listener_, 64);
  ::getsockname(listener_, reinterpret_cast<sockaddr*>(&address), &size);
  port_ = ntohs(address.sin_port);
  acceptor_ = std::jthread([this] { accept_all(); });
}

FaultyServer::~FaultyServer() {
  stopping_ = true;
  ::shutdown(listener_, SHUT_RD);  // wakes the acceptor
  acceptor_.join();
  connections_.clear();
  ::close(listener_);
}

client::BaseUrl FaultyServer::url() const {
  return {false, "127.0.0.1", port_, ""};
}

void FaultyServer::accept_all() {
  while (is_readable(listener_, stopping_)) {
    Counted unasked(unasked_);  // before the listener has one less
    const int connection = ::accept4(listener_, nullptr, nullptr, SOCK_CLOEXEC);
    if (connection < 0) {
      continue;
    }
    const int on = 1;
    ::setsockopt(connection, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    connections_.emplace_back([this, connection, unasked = std::move(unasked)]() mutable {
      serve(connection, std::move(unasked));
    });
  }
}

bool FaultyServer::write_response(int connection, const Wire& wire, const Request& request) {
  std::this_thread::sleep_for(std::chrono::milliseconds(wire.delay_ms));
  if (wire.endless) {
    write_all(connection,
              "HTTP/1.1 200 OK\r\nContent-Type: application/pdf\r\n"
              "Transfer-Encoding: chunked\r\n\r\n");
    return write_endlessly(connection, stopping_);
  }
  const auto bytes = bytes_of(wire, request);
  return wire.piece == 0 ? write_all(connection, bytes)
                         : write_pieces(connection, bytes, wire.piece);
}

void FaultyServer::serve(int connection, Counted unasked) {
  Thread thread{client::Client(mock_, trust_), {}, std::move(unasked)};
  const spec::http::RequestLimits limits;
  spec::http::RequestParser parser(limits);
  std::array<char, 16384> block{};
  bool close = false;
  bool continued = false;
  while (!close && is_readable(connection, stopping_)) {
    const auto got = ::recv(connection, block.data(), block.size(), 0);
    if (got <= 0) {
      break;
    }
    std::string_view bytes(block.data(), static_cast<std::size_t>(got));
    while (!bytes.empty() && !close) {
      bytes.remove_prefix(parser.feed(bytes));
      using Stage = spec::http::RequestParser::Stage;
      if (parser.stage() == Stage::kRejected) {  // a target with a NUL, say
        close = true;
        write_all(connection,
                  "HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\nConnection: close\r\n\r\n");
      } else if (parser.stage() == Stage::kBody && parser.expects_continue() && !continued &&
                 !ignores_expect()) {
        continued = true;
        write_all(connection, "HTTP/1.1 100 Continue\r\n\r\n");
      } else if (parser.stage() == Stage::kComplete) {
        auto request = std::move(parser.request());
        const auto wire = respond(request, thread);
        close = !write_response(connection, wire, request) || ends_connection(wire);
        parser.reset();
        continued = false;
      }
    }
  }
  ::shutdown(connection, SHUT_WR);
  ::close(connection);
}

bool FaultyServer::ignores_expect() const {
  return std::ranges::any_of(behaviours_, [](const Behaviour& behaviour) {
    return behaviour.when.value("ignore_expect", false);
  });
}

// The whole list of the mock, and the page of it that the fault makes.
void FaultyServer::repage(const json& how, const Request& request, client::Client& mock,
                          Wire& wire) {
  auto all = json::array();
  constexpr int kPages = 50;
  for (int page = 0; page < kPages; ++page) {
    auto asked = plain_copy(request);
    change_request(
        json::array({{{"set_query", {{"page_size", "100"}, {"page_number", std::to_string(page)}}},
                      {"drop_query", how.value("drop", json::array())}}}),
        asked);
    auto body = spec::json::read(mock.send(asked).response.body);
    if (!body || !body->is_object() || !body->contains("items") || body->at("items").empty()) {
      break;
    }
    std::ranges::move(body->at("items"), std::back_inserter(all));
  }
  if (wire.response.status == 200) {
    wire.response.body =
        spec::json::write({{"items", page_of(std::move(all), how, request, wire.turn)}});
  }
}

// Members of a change that the mock would reject, shown from then on.
void FaultyServer::remember(const json& step, const Request& request, Wire& wire) {
  const std::lock_guard lock(mutex_);
  const bool everywhere = step.value("everywhere", false);
  auto& shown = memory_[everywhere ? "" : std::string(spec::http::path_of(request.target))];
  const auto& places = step.at("remember");
  if (shown.is_null()) {
    shown = json::object();
  }
  const auto sent = spec::json::read(request.body);
  for (const auto& [member, pointer] : places.items()) {
    if (sent && sent->is_object() && sent->contains(member)) {
      shown[pointer.get<std::string>()] = sent->at(member);
    }
  }
  if (wire.response.status == 200) {
    change_response(json::array({{{"set", shown}}}), request, wire);
  }
}

bool FaultyServer::is_due(const Behaviour& behaviour, const Request& request, bool repeated) const {
  const auto& when = behaviour.when;
  const auto now = std::chrono::steady_clock::now();
  const auto raised = when.value("raised", "");
  const std::lock_guard lock(mutex_);
  return (!when.value("repeated", false) || repeated) &&
         in_flight_ >= when.value("in_flight", std::size_t{0}) &&
         now - started_ >= std::chrono::milliseconds(when.value("after_ms", 0)) &&
         now - first_.at(request.body) >= std::chrono::milliseconds(when.value("known_ms", 0)) &&
         (raised.empty() || raised_.contains(raised));
}

void FaultyServer::await_others() const {
  constexpr auto kPatience = std::chrono::seconds(2);
  const auto is_expected = [this] {
    pollfd entry{.fd = listener_, .events = POLLIN, .revents = 0};
    return unasked_ > 0 || ::poll(&entry, 1, 0) > 0;
  };
  std::size_t needed = 0;
  for (const auto& behaviour : behaviours_) {
    needed = std::max(needed, behaviour.when.value("in_flight", std::size_t{0}));
  }
  const auto latest = std::chrono::steady_clock::now() + kPatience;
  while (in_flight_ < needed && is_expected() && std::chrono::steady_clock::now() < latest) {
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
}

// Responses that are alike are not swapped with each other: no client could see that.
void FaultyServer::swap_in_flight(Wire& wire) {
  constexpr auto kPatience = std::chrono::milliseconds(500);
  const auto is_other = [&](const Wire* waiting) {
    return waiting->response.status != wire.response.status ||
           waiting->response.body != wire.response.body;
  };
  std::unique_lock lock(mutex_);
  const auto other = std::ranges::find_if(waiting_, is_other);
  if (other != waiting_.end()) {
    std::swap(**other, wire);
    waiting_.erase(other);
    swapped_.notify_all();
  } else if (in_flight_ > 1) {
    waiting_.push_back(&wire);
    swapped_.wait_for(lock, kPatience,
                      [&] { return std::ranges::find(waiting_, &wire) == waiting_.end(); });
    std::erase(waiting_, &wire);
  }
}

Request FaultyServer::plain_copy(const Request& request) const {
  auto asked = request;
  for (const auto* name : {"Content-Length", "Transfer-Encoding", "Expect", "Connection"}) {
    asked.headers.remove(name);
  }
  asked.headers.set("X-Counterpart-Session", session_);
  return asked;
}

bool FaultyServer::is_repeated(const Request& request) {
  const std::lock_guard lock(mutex_);
  first_.try_emplace(request.body, std::chrono::steady_clock::now());
  return std::exchange(last_body_, request.body) == request.body;
}

void FaultyServer::apply_own_steps(const Behaviour& behaviour, const Request& request,
                                   Thread& thread, Wire& wire) {
  for (const auto& step : behaviour.response) {
    if (step.contains("repage")) {
      repage(step.at("repage"), request, thread.mock, wire);
    }
    if (step.contains("remember")) {
      remember(step, request, wire);
    }
    if (step.contains("raise")) {
      const std::lock_guard raising(mutex_);
      raised_.insert(step.at("raise").get<std::string>());
    }
    if (step.contains("swap_in_flight")) {
      swap_in_flight(wire);
    }
    if (step.contains("previous")) {
      auto& previous = step.at("previous") == "connection" ? thread.previous : previous_;
      std::swap(wire.response, previous);
      wire.response = wire.response.status == 0 ? previous : wire.response;
    }
  }
}

Wire FaultyServer::respond(const Request& request, Thread& thread) {
  const auto count = ++count_;
  const Counted in_flight(in_flight_);
  thread.unasked.reset();
  await_others();
  const bool repeated = is_repeated(request);
  auto asked = plain_copy(request);
  for (const auto& behaviour : behaviours_) {
    if (applies(behaviour.when, request, count) && is_due(behaviour, request, repeated)) {
      change_request(behaviour.request, asked);
    }
  }
  const auto exchange = thread.mock.send(std::move(asked));
  const auto& original = exchange.record.response;
  Wire wire;
  wire.turn = count;
  wire.response = without_framing(original);
  bool applied = false;
  for (const auto& behaviour : behaviours_) {
    // The behaviour may no longer be due: another request is in flight, a flag is raised.
    if (applies(behaviour.when, request, count) && fits_response(behaviour.when, original) &&
        is_due(behaviour, request, repeated)) {
      apply_own_steps(behaviour, request, thread, wire);
      change_response(behaviour.response, request, wire);
      applied = true;
    }
  }
  applied_ += applied ? 1 : 0;
  if (behaviours_.empty()) {
    const std::lock_guard lock(mutex_);
    seen_.push_back({request, original});
  }
  return wire;
}

std::vector<ReceivedRequest> FaultyServer::take_seen() {
  const std::lock_guard lock(mutex_);
  return std::exchange(seen_, {});
}

}  // namespace contract_tests::faulty_server
