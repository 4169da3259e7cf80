// The small parts: output, clock, scripts, flags.

#include "mock_server/transport/fault_script.hpp"
#include "mock_server/transport/listener.hpp"
#include "mock_server/transport/transport_clock.hpp"
#include "mock_server/transport/wire_exchange.hpp"

#include <CLI/CLI.hpp>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <string>

namespace mock_server::transport {

namespace {

std::string all_of(Output& output, std::size_t step) {
  std::string bytes;
  while (!output.empty()) {
    std::array<iovec, 3> vectors;
    const std::size_t count = output.gather(vectors);
    EXPECT_GT(count, 0U);
    const std::size_t taken = std::min(step, vectors[0].iov_len);
    bytes.append(static_cast<const char*>(vectors[0].iov_base), taken);
    output.consume(taken);
  }
  return bytes;
}

WireResponse response_of(std::string body, reply::Fault fault) {
  WireResponse wire;
  wire.head = "HTTP/1.1 200 OK\r\nContent-Length: " + std::to_string(body.size()) + "\r\n\r\n";
  wire.body = std::move(body);
  wire.delivery.fault = fault;
  return wire;
}

}  // namespace

TEST(Output, keeps_the_order_of_short_and_long_blocks) {
  const std::string body(40'000, 'b');
  Output output;
  output.append(std::string_view("head"));
  output.append(std::string(body));
  output.append(std::string_view("tail"));
  output.append(std::string("end"));

  EXPECT_EQ(output.size(), 40'011U);
  EXPECT_EQ(all_of(output, 7'001), "head" + body + "tailend");
}

TEST(Output, can_be_filled_while_it_is_emptied) {
  Output output;
  std::string expected;
  std::string got;
  for (int round = 0; round < 3'000; ++round) {
    const std::string block(static_cast<std::size_t>(round % 37),
                            static_cast<char>('a' + round % 26));
    output.append(std::string_view(block));
    expected += block;
    std::array<iovec, 1> vector;
    if (output.gather(vector) == 1) {
      const std::size_t taken = std::min<std::size_t>(11, vector[0].iov_len);
      got.append(static_cast<const char*>(vector[0].iov_base), taken);
      output.consume(taken);
    }
  }

  EXPECT_EQ(got + all_of(output, 100), expected);
}

TEST(DateText, has_the_preferred_form_and_says_the_present_second) {
  DateText date;
  std::tm parts{};

  const std::string text(date.now());

  ASSERT_EQ(text.size(), 29U);
  ASSERT_NE(strptime(text.c_str(), "%a, %d %b %Y %H:%M:%S GMT", &parts), nullptr);
  EXPECT_LE(std::abs(timegm(&parts) - std::time(nullptr)), 1);
}

TEST(FaultScripts, cut_and_delay_responses) {
  const Limits limits;
  const WireResponse whole = response_of(std::string(1'000, 'b'), reply::Fault::kSlowBody);

  const Script script = make_script(WireResponse(whole), limits);

  EXPECT_EQ(script.bytes, whole.head + whole.body);
  EXPECT_EQ(script.first, whole.head.size());
  EXPECT_EQ(script.piece, 51U);
  EXPECT_EQ(script.interval, Milliseconds(50));
  EXPECT_EQ(script.ending, Script::Ending::kGoOn);
}

TEST(FaultScripts, send_the_same_garbage_every_time) {
  const Script first = make_script(response_of("b", reply::Fault::kGarbage), Limits{});
  const Script second = make_script(response_of("c", reply::Fault::kGarbage), Limits{});

  EXPECT_EQ(first.bytes, second.bytes);
  EXPECT_FALSE(first.bytes.starts_with("HTTP"));
}

TEST(Flags, set_and_describe_every_limit) {
  CLI::App app;
  ListenerOptions options;
  register_address_flags(app, options);
  register_limit_flags(app, options);

  app.parse("--host ::1 --port 0 --loops 3 --body-bytes 5000 --idle-ms 70 --field-count 9");

  EXPECT_EQ(options.host, "::1");
  EXPECT_EQ(options.port, 0);
  EXPECT_EQ(options.loops, 3U);
  EXPECT_EQ(options.limits.body_bytes, 5'000U);
  EXPECT_EQ(options.limits.idle, Milliseconds(70));
  const nlohmann::json described = describe(options.limits);
  EXPECT_EQ(described.at("body_bytes"), 5'000);
  EXPECT_EQ(described.at("idle_ms"), 70);
  EXPECT_EQ(described.at("head_ms"), 10'000);
  for (const auto& [name, value] : described.items()) {
    std::string flag = "--" + name;
    std::replace(flag.begin(), flag.end(), '_', '-');
    EXPECT_THAT(app.help(), ::testing::HasSubstr(flag));
  }
}

TEST(Flags, reject_values_out_of_range_and_half_a_certificate) {
  for (const std::string line : {"--port 70000", "--port x", "--head-ms 0", "--field-count 0",
                                 "--body-bytes -1", "--tls-cert a.pem", "--loops 1000"}) {
    CLI::App app;
    ListenerOptions options;
    register_address_flags(app, options);
    register_limit_flags(app, options);

    EXPECT_THROW(app.parse(line), CLI::ParseError) << line;
  }
}

}  // namespace mock_server::transport
