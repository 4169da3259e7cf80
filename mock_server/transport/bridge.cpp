#include "mock_server/transport/bridge.hpp"

#include "spec/http/bytes.hpp"
#include "spec/http/message.hpp"

#include <httplib.h>

#include <algorithm>
#include <functional>
#include <new>
#include <optional>
#include <string_view>
#include <utility>

namespace mock_server::transport {

namespace {

// What cpp-httplib parses: always the same, so that none of its own reading of heads, targets,
// ranges and codings ever meets a client's bytes.
constexpr std::string_view kNormalHead = "GET / HTTP/1.1\r\n\r\n";

bool is_bodiless(int status) {
  return status == 204 || status == 304;
}

service::Reply server_error() {
  service::Reply reply;
  reply.response.status = 500;
  reply.response.headers = {{"Content-Type", "application/json"},
                            {"Access-Control-Allow-Origin", "*"}};
  reply.response.body =
      R"({"code":"INTERNAL_SERVER_ERROR","message":"the answer could not be made"})";
  return reply;
}

bool is_sound(const service::Reply& reply) {
  return reply.response.status >= 200 && reply.response.status <= 999 &&
         is_writable(reply.response.headers) &&
         spec::http::is_all(reply.response.reason, spec::http::kValueByte);
}

}  // namespace

// Reads the normal head and catches what is written.
class Bridge::Server : public httplib::Server, private httplib::Stream {
 public:
  explicit Server(const service::Handler& handler) : handler_(handler) {
    set_pre_routing_handler([this](const httplib::Request&, httplib::Response& response) {
      call_service(response);
      return HandlerResponse::Handled;
    });
    // Of what cpp-httplib writes by itself only the status line stays: its length, type and
    // keep-alive fields cost more than the whole rest of the request and are partly wrong.
    set_post_routing_handler(
        [](const httplib::Request&, httplib::Response& response) { response.headers.clear(); });
    // Its look-ups in the fields that it made itself, of addresses, cost more than they say.
    hand_over_ = [this](httplib::Request& request) {
      request.method = request_->method;
      request.headers.clear();
    };
  }

  Answer* ask_again(const Answer& waiting, bool last) {
    std::optional<spec::http::Response> response;
    try {
      response = waiting.later(last);
    } catch (...) {
      response = server_error().response;
    }
    if (!response) {
      return nullptr;
    }
    ready_ = service::Reply{std::move(*response), {}};
    const spec::http::Request stub{waiting.is_head ? "HEAD" : "GET", "/", {}, {}};
    return &answer(stub, {}, waiting.persistence);
  }

  Answer& answer(const spec::http::Request& request, const service::Peer& peer,
                 Persistence persistence) {
    request_ = &request;
    peer_ = &peer;
    persistence_ = persistence;
    answer_.head.clear();
    answer_.body.clear();
    answer_.delivery = {};
    answer_.later = nullptr;
    fields_.clear();
    read_ = 0;
    bool closed = false;
    // Told to close: its own keep-alive field costs a stream a time and promises what is not so.
    is_answered_ = false;
    process_request(*this, true, closed, hand_over_);
    if (!is_answered_) {
      throw std::bad_alloc();  // the library keeps what was thrown to itself
    }
    return answer_;
  }

 private:
  void call_service(httplib::Response& response) {
    service::Reply reply = guarded_reply();
    if (reply.later) {
      answer_.later = std::move(reply.later);
      answer_.is_head = request_->method == "HEAD";
      answer_.persistence = persistence_;
    }
    spec::http::Response& from = reply.response;
    const auto connection = from.headers.find("Connection");
    if (connection && spec::http::equals_ignoring_case(*connection, "close")) {
      persistence_ = Persistence::kClose;
    }
    answer_.status = from.status;
    answer_.delivery = reply.delivery;
    answer_.close = persistence_ == Persistence::kClose;
    phrase_ = from.reason;
    take_body(from);
    append_fields(fields_, from.headers);
    append_connection_fields(fields_, date_.now(), persistence_);
    fields_.append("\r\n");
    response.status = from.status;
    is_answered_ = true;
  }

  // Source: RFC 9110 §8.6, §9.3.2, §15.3.5, §15.4.5.
  void take_body(spec::http::Response& from) {
    if (is_bodiless(from.status)) {
      return;
    }
    const bool is_head = request_->method == "HEAD";
    const auto own_length = from.headers.find("Content-Length");
    fields_.append("Content-Length: ");
    if (is_head && from.body.empty() && own_length) {
      fields_.append(*own_length);
    } else {
      fields_.append(std::to_string(from.body.size()));
    }
    fields_.append("\r\n");
    if (!is_head) {
      answer_.body = std::move(from.body);
    }
  }

  service::Reply guarded_reply() {
    try {
      service::Reply reply =
          ready_ ? std::move(*std::exchange(ready_, std::nullopt)) : handler_(*request_, *peer_);
      return is_sound(reply) ? std::move(reply) : server_error();
    } catch (const std::bad_alloc&) {
      throw;
    } catch (...) {
      return server_error();
    }
  }

  void write_head(std::string_view head) {
    head.remove_suffix(2);  // the empty line comes after our fields
    const bool own_phrase = !phrase_.empty() || spec::http::reason_phrase(answer_.status).empty();
    if (own_phrase) {
      head.remove_prefix(std::min(head.size(), head.find("\r\n") + 2));
      answer_.head.append("HTTP/1.1 ").append(std::to_string(answer_.status)).append(" ");
      answer_.head.append(phrase_).append("\r\n");
    }
    answer_.head.append(head).append(fields_);
  }

  // httplib::Stream
  bool is_readable() const override { return true; }

  bool is_writable() const override { return true; }

  // It asks for one byte at a time.
  ssize_t read(char* to, std::size_t size) override {
    if (read_ == kNormalHead.size() || size == 0) {
      return 0;
    }
    *to = kNormalHead[read_++];
    return 1;
  }

  ssize_t write(const char* from, std::size_t size) override {
    if (answer_.head.empty()) {
      write_head({from, size});
    }
    return static_cast<ssize_t>(size);
  }

  void get_remote_ip_and_port(std::string&, int&) const override {}

  void get_local_ip_and_port(std::string&, int&) const override {}

  socket_t socket() const override { return 0; }

  const service::Handler& handler_;
  std::function<void(httplib::Request&)> hand_over_;
  const spec::http::Request* request_ = nullptr;
  const service::Peer* peer_ = nullptr;
  std::optional<service::Reply> ready_;  // instead of what the handler would say
  Persistence persistence_ = Persistence::kKeep;
  Answer answer_;
  std::string fields_;
  std::string phrase_;
  DateText date_;
  std::size_t read_ = 0;
  bool is_answered_ = false;
};

Bridge::Bridge(const service::Handler& handler) : server_(std::make_unique<Server>(handler)) {}

Bridge::~Bridge() = default;

Answer& Bridge::answer(const spec::http::Request& request, const service::Peer& peer,
                       Persistence persistence) {
  return server_->answer(request, peer, persistence);
}

Answer* Bridge::ask_again(const Answer& waiting, bool last) {
  return server_->ask_again(waiting, last);
}

}  // namespace mock_server::transport
