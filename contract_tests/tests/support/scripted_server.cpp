#include "contract_tests/tests/support/scripted_server.hpp"

#include <zlib.h>

#include <algorithm>
#include <array>
#include <brotli/encode.h>
#include <cerrno>
#include <charconv>
#include <chrono>
#include <memory>
#include <poll.h>
#include <string_view>
#include <sys/socket.h>
#include <unistd.h>

namespace contract_tests::support {

using nlohmann::json;

namespace {

constexpr std::size_t kMegabyte = 1024U * 1024;

// `megabytes` of zeros in gzip (window bits 31) or zlib's format (15).
std::string deflated(std::size_t megabytes, int window_bits) {
  z_stream stream{};
  deflateInit2(&stream, 9, Z_DEFLATED, window_bits, 8, Z_DEFAULT_STRATEGY);
  std::string zeros(kMegabyte, '\0');
  std::string out;
  std::array<unsigned char, 65536> block{};
  for (std::size_t part = 0; part < megabytes; ++part) {
    stream.next_in = reinterpret_cast<unsigned char*>(zeros.data());
    stream.avail_in = static_cast<unsigned>(zeros.size());
    const int flush = part + 1 == megabytes ? Z_FINISH : Z_NO_FLUSH;
    do {
      stream.next_out = block.data();
      stream.avail_out = static_cast<unsigned>(block.size());
      deflate(&stream, flush);
      out.append(reinterpret_cast<const char*>(block.data()), block.size() - stream.avail_out);
    } while (stream.avail_out == 0);
  }
  deflateEnd(&stream);
  return out;
}

std::string brotli(std::size_t megabytes) {
  const std::unique_ptr<BrotliEncoderState, decltype(&BrotliEncoderDestroyInstance)> encoder(
      BrotliEncoderCreateInstance(nullptr, nullptr, nullptr), &BrotliEncoderDestroyInstance);
  BrotliEncoderSetParameter(encoder.get(), BROTLI_PARAM_QUALITY, 1);
  const std::string zeros(kMegabyte, '\0');
  std::string out;
  for (std::size_t part = 0; part < megabytes; ++part) {
    const auto* input = reinterpret_cast<const unsigned char*>(zeros.data());
    std::size_t left = zeros.size();
    const auto step = part + 1 == megabytes ? BROTLI_OPERATION_FINISH : BROTLI_OPERATION_PROCESS;
    do {
      std::size_t room = 0;
      BrotliEncoderCompressStream(encoder.get(), step, &left, &input, &room, nullptr, nullptr);
      std::size_t size = 0;
      const auto* made = BrotliEncoderTakeOutput(encoder.get(), &size);
      out.append(reinterpret_cast<const char*>(made), size);
    } while (left > 0 || BrotliEncoderHasMoreOutput(encoder.get()) != 0);
  }
  return out;
}

std::string bomb(const std::string& coding, std::size_t megabytes) {
  if (coding == "br") {
    return brotli(megabytes);
  }
  return deflated(megabytes, coding == "gzip" ? 31 : 15);
}

// One side of a connection; every wait ends when the server stops.
class Peer {
 public:
  Peer(int socket, const std::atomic<bool>& stopping) : socket_(socket), stopping_(stopping) {}

  ~Peer() { ::close(socket_); }

  Peer(const Peer&) = delete;
  Peer& operator=(const Peer&) = delete;

  bool send(std::string_view bytes) const {
    while (!bytes.empty() && wait(POLLOUT)) {
      const auto put = ::send(socket_, bytes.data(), bytes.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
      if (put < 0 && errno != EAGAIN) {
        return false;
      }
      bytes.remove_prefix(put < 0 ? 0 : static_cast<std::size_t>(put));
    }
    return bytes.empty();
  }

  // A request's head, with its body read past; "" when the peer went.
  std::string read_request() {
    while (buffer_.find("\r\n\r\n") == std::string::npos) {
      if (!read_more()) {
        return {};
      }
    }
    const auto end = buffer_.find("\r\n\r\n") + 4;
    auto head = buffer_.substr(0, end);
    auto size = end + content_length(head);
    if (head.find("\r\nTransfer-Encoding: chunked\r\n") != std::string::npos) {
      size = end_of_chunks(end);
    }
    while (buffer_.size() < size) {
      if (!read_more()) {
        return {};
      }
    }
    buffer_.erase(0, size);
    return head;
  }

  void hang() {
    while (read_more()) {
    }
  }

  void reset() const {
    const linger now{.l_onoff = 1, .l_linger = 0};
    ::setsockopt(socket_, SOL_SOCKET, SO_LINGER, &now, sizeof now);
  }

  bool sleep(std::chrono::milliseconds time) const {
    const auto until = std::chrono::steady_clock::now() + time;
    while (!stopping_ && std::chrono::steady_clock::now() < until) {
      std::this_thread::sleep_for(std::min(time, std::chrono::milliseconds(10)));
    }
    return !stopping_;
  }

 private:
  static std::size_t content_length(std::string_view head) {
    std::size_t size = 0;
    if (const auto at = head.find("Content-Length: "); at != std::string_view::npos) {
      std::from_chars(head.data() + at + 16, head.data() + head.size(), size);
    }
    return size;
  }

  // Behind the last chunk of a body that starts at `from`; what the suite sends has no trailers.
  std::size_t end_of_chunks(std::size_t from) {
    constexpr std::string_view kLast = "\r\n0\r\n\r\n";
    while (buffer_.find(kLast, from - 2) == std::string::npos && read_more()) {
    }
    const auto found = buffer_.find(kLast, from - 2);
    return found == std::string::npos ? buffer_.size() : found + kLast.size();
  }

  bool wait(short events) const { return wait_for(socket_, events, stopping_); }

  bool read_more() {
    std::array<char, 16384> block{};
    const auto got = wait(POLLIN) ? ::recv(socket_, block.data(), block.size(), 0) : 0;
    buffer_.append(block.data(), got > 0 ? static_cast<std::size_t>(got) : 0);
    return got > 0;
  }

  int socket_;
  const std::atomic<bool>& stopping_;
  std::string buffer_;
};

// False when the connection is over.
bool play_step(const json& step, Peer& peer) {
  if (step.contains("send")) {
    const auto text = step.at("send").get<std::string>();
    for (int left = step.value("times", 1); left > 0; --left) {
      if (!peer.send(text)) {
        return false;
      }
    }
    return true;
  }
  if (step.contains("bomb")) {
    return peer.send(bomb(step.at("bomb"), step.at("megabytes")));
  }
  if (step.contains("forever")) {
    const auto text = step.at("forever").get<std::string>();
    const std::chrono::milliseconds pause(step.value("every_ms", 0));
    while (peer.send(text) && peer.sleep(pause)) {
    }
    return false;
  }
  if (step.contains("reset")) {
    peer.reset();
  } else {
    peer.hang();
  }
  return false;
}

bool play(const json& steps, Peer& peer) {
  return std::ranges::all_of(steps, [&peer](const json& step) { return play_step(step, peer); });
}

}  // namespace

json json_response(const std::string& status, const std::string& body) {
  return json::array(
      {{{"send", "HTTP/1.1 " + status + "\r\nContent-Type: application/json\r\nContent-Length: " +
                     std::to_string(body.size()) + "\r\n\r\n" + body}}});
}

std::vector<Script> always(const std::string& status, const std::string& body) {
  return {{.steps = json_response(status, body), .keep = true}};
}

ScriptedServer::ScriptedServer(std::vector<Script> scripts)
    : scripts_(std::move(scripts)), listener_([this](int socket) { serve(socket); }) {}

std::vector<std::string> ScriptedServer::received() const {
  const std::lock_guard lock(mutex_);
  return received_;
}

bool ScriptedServer::wait_for_requests(std::size_t count) const {
  constexpr std::chrono::seconds kPatience{60};
  std::unique_lock lock(mutex_);
  return came_.wait_for(lock, kPatience, [&] { return received_.size() >= count; });
}

const Script& ScriptedServer::next_script(std::string head) {
  const std::lock_guard lock(mutex_);
  const auto index = std::min(received_.size(), scripts_.size() - 1);
  received_.push_back(std::move(head));
  came_.notify_all();
  return scripts_[index];
}

void ScriptedServer::serve(int socket) {
  Peer peer(socket, listener_.stopping());
  if (scripts_.front().deaf) {
    play(next_script({}).steps, peer);
    return;
  }
  for (auto head = peer.read_request(); !head.empty(); head = peer.read_request()) {
    const auto& script = next_script(head);
    if (!play(script.steps, peer) || !script.keep) {
      return;
    }
  }
}

}  // namespace contract_tests::support
