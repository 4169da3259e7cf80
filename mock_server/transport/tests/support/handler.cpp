#include "mock_server/transport/tests/support/handler.hpp"

#include "mock_server/reply/fault.hpp"
#include "mock_server/transport/transport_clock.hpp"
#include "spec/http/message.hpp"

#include <charconv>
#include <string>
#include <string_view>
#include <vector>

namespace mock_server::transport::testing {

namespace {

int number_of(std::string_view text) {
  int number = 0;
  std::from_chars(text.data(), text.data() + text.size(), number);
  return number;
}

std::string usual_body() {
  std::string body = R"({"customer_id":"cus_1","name":")";
  body.append(300 - body.size() - 2, 'n');
  return body + "\"}";
}

void work_for(Milliseconds time) {
  const Time end = SteadyClock::now() + time;
  while (SteadyClock::now() < end) {
  }
}

void misbehave(std::string_view how, reply::Reply& reply) {
  spec::http::Response& response = reply.response;
  if (how == "bad-header") {
    response.headers.add("X", "a\r\nY: b");
  } else if (how == "bad-name") {
    response.headers.add("X Y", "a");
  } else if (how == "bad-reason") {
    response.reason = "a\r\nY: b";
  } else if (how == "reason") {
    response.reason = "As You Like It";
  } else if (how == "close") {
    response.headers.add("Connection", "close");
  } else {
    response.body = usual_body();
  }
}

}  // namespace

reply::Handler handler() {
  return [usual = usual_body()](const spec::http::Request& request, const reply::Peer&) {
    reply::Reply reply;
    reply.response.headers = {{"Content-Type", "application/json"},
                              {"Access-Control-Allow-Origin", "*"}};
    const std::vector<std::string_view> segments = spec::http::segments_of(request.target);
    const std::string_view what = segments.empty() ? std::string_view() : segments.front();
    const std::string_view last = segments.empty() ? std::string_view() : segments.back();
    reply.response.body = request.method + " " + request.target;
    reply.response.body.append(request.body.empty() ? "" : " ").append(request.body);
    if (what == "status") {
      reply.response.status = number_of(last);
    } else if (what == "bytes") {
      reply.response.body.assign(static_cast<std::size_t>(number_of(last)), 'b');
    } else if (what == "delay") {
      reply.delivery.delay = Milliseconds(number_of(last));
    } else if (what == "work") {
      work_for(Milliseconds(number_of(last)));
    } else if (what == "fault" && segments.size() > 1) {
      reply.delivery.fault = reply::fault_of(segments[1]).value_or(reply::Fault::kNone);
      if (segments.size() > 2) {
        reply.response.body.assign(static_cast<std::size_t>(number_of(last)), 'b');
      }
    } else if (what == "head-length") {
      reply.response.body.clear();
      reply.response.headers.add("Content-Length", std::string(last));
    } else if (what != "echo") {
      misbehave(what, reply);
    }
    return reply;
  };
}

}  // namespace mock_server::transport::testing
