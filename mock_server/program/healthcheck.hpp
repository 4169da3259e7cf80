#pragma once

// `mock_server healthcheck URL`: whether a mock is ready, for the probes of images and of service
// managers, which have no other program to ask with. Loads no contract.

#include "spec/net/base_url.hpp"
#include "spec/result.hpp"

#include <chrono>
#include <string>
#include <string_view>

namespace CLI {
class App;
}

namespace mock_server::program {

// The address of a mock.
struct HealthUrl {
  spec::net::BaseUrl server{};
  std::string socket{};  // the path in "unix:/path", which has no server
  std::string path{};    // what is asked for, "/_mock/ready"
};

// Reads "http://HOST:PORT", "https://HOST:PORT" or "unix:/path", with or without "/_mock/ready".
// Fails with what is wrong.
spec::Result<HealthUrl, std::string> parse_health_url(std::string_view text);

// "" if the mock there is ready, else why not. Takes at most `time`, whatever the peer does; then a
// thread that still waits for it is left behind. The certificate of https is not verified: what is
// asked for is no secret, and the result is only whether it is ready.
std::string why_not_healthy(const HealthUrl& url, std::chrono::milliseconds time);

// Adds the subcommand; parsing puts its argument into `url`.
CLI::App* register_healthcheck(CLI::App& app, std::string& url);

// Carries it out. Returns the exit code: 0 healthy, 1 not, 2 for an unusable URL; says why in one
// line on standard error. The program is to end then.
int healthcheck(const std::string& url);

}  // namespace mock_server::program
