// The text on a terminal when the real program starts.

#include "mock_server/program/tests/command.hpp"
#include "mock_server/transport/tests/support/process.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdlib>
#include <fcntl.h>
#include <poll.h>
#include <string>
#include <string_view>
#include <unistd.h>
#include <vector>

namespace mock_server::program {
namespace {

using testing::HasSubstr;
using transport::testing::port_in;
using transport::testing::Process;

constexpr std::chrono::seconds kScreenPatience{20};

// A terminal; the program's standard error is its other side.
class Screen {
 public:
  Screen() : terminal_(posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC)) {
    grantpt(terminal_);
    unlockpt(terminal_);
    name_ = ptsname(terminal_);
  }

  ~Screen() { close(terminal_); }

  Screen(const Screen&) = delete;
  Screen& operator=(const Screen&) = delete;

  void become_error_stream() const {
    const int side = open(name_.c_str(), O_WRONLY | O_NOCTTY);
    dup2(side, STDERR_FILENO);
  }

  // All that was written until `words` came, the other side was closed, or the patience ended.
  std::string read_until(std::string_view words) const {
    std::string text;
    const auto end = std::chrono::steady_clock::now() + kScreenPatience;
    pollfd waiting{terminal_, POLLIN, 0};
    while (text.find(words) == std::string::npos && std::chrono::steady_clock::now() < end) {
      std::array<char, 4096> bytes{};
      if (poll(&waiting, 1, 100) <= 0) {
        continue;
      }
      const ssize_t count = read(terminal_, bytes.data(), bytes.size());
      if (count <= 0) {
        break;
      }
      text.append(bytes.data(), static_cast<std::size_t>(count));
    }
    return text;
  }

 private:
  int terminal_;
  std::string name_;
};

TEST(ProgramGreeting, says_on_a_terminal_in_about_ten_lines_what_is_served_and_where_to_look) {
  const Screen screen;
  // A browser cannot open every address.
  Process server(mock_command({"--host", "0.0.0.0", "--open-control"}),
                 [&screen] { screen.become_error_stream(); });
  const std::string url = "http://127.0.0.1:" + std::to_string(port_in(server.line()));

  const std::string shown = screen.read_until("control.openapi.yaml");

  EXPECT_THAT(shown, HasSubstr("console     " + url + "/_mock/"));
  EXPECT_THAT(shown, HasSubstr("try         " + url + "/invoices/payments/pay_"));
  EXPECT_THAT(shown, HasSubstr("tokens      dodo_test_me"));
  EXPECT_THAT(shown, HasSubstr("scenarios   "));
  EXPECT_LE(std::ranges::count(shown, '\n'), 12);
}

TEST(ProgramGreeting, is_left_out_with_quiet_or_a_log_of_json) {
  for (const std::vector<std::string>& flags :
       {std::vector<std::string>{"--quiet"}, {"--log-format", "json"}}) {
    const Screen screen;
    Process server(mock_command(flags), [&screen] { screen.become_error_stream(); });
    ASSERT_GT(port_in(server.line()), 0);
    server.signal(SIGTERM);
    ASSERT_EQ(server.end(), 0);
    EXPECT_THAT(screen.read_until("console"), testing::Not(HasSubstr("console")));
  }
}

}  // namespace
}  // namespace mock_server::program
