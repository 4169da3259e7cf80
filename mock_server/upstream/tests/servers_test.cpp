// The program in front of servers of other makes and over TLS.

#include "mock_server/transport/tests/support/certificate.hpp"
#include "mock_server/transport/tests/support/process.hpp"
#include "mock_server/upstream/tests/front.hpp"
#include "mock_server/upstream/tests/stand_in.hpp"
#include "spec/tests/paths.hpp"

#include <gmock/gmock.h>

#include <csignal>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

namespace mock_server::upstream {
namespace {

using testing::Front;
using ::testing::HasSubstr;
using transport::testing::Certificate;
using transport::testing::Process;

constexpr const char* kNginxProgram = "/usr/sbin/nginx";

// nginx with a file, at a free port; TLS at another.
class Nginx {
 public:
  explicit Nginx(const Certificate& certificate)
      : port_(testing::free_port()), tls_port_(testing::free_port()) {
    const std::string folder = folder_.path();
    folder_.write("files/a.json", std::string(300'000, '7'));
    std::string text = "daemon off; master_process off; pid " + folder + "/pid; error_log " +
                       folder + "/errors;\nevents {}\nhttp {\n  access_log off; gzip on;" +
                       " gzip_proxied any; gzip_types text/plain; default_type text/plain;\n";
    for (const char* kind : {"client_body", "proxy", "fastcgi", "uwsgi", "scgi"}) {
      text += std::string("  ") + kind + "_temp_path " + folder + "/" + kind + ";\n";
    }
    text += "  server { listen 127.0.0.1:" + std::to_string(port_) +
            "; listen 127.0.0.1:" + std::to_string(tls_port_) + " ssl; root " + folder +
            "/files; ssl_certificate " + certificate.certificate_file() + "; ssl_certificate_key " +
            certificate.key_file() + "; }\n}\n";
    process_ = std::make_unique<Process>(
        std::vector<std::string>{kNginxProgram, "-c", folder_.write("conf", text), "-p", folder});
  }

  ~Nginx() {
    process_->signal(SIGTERM);
    process_->end();
  }

  Nginx(const Nginx&) = delete;
  Nginx& operator=(const Nginx&) = delete;

  std::string url() const { return "http://127.0.0.1:" + std::to_string(port_); }

  std::string tls_url() const { return "https://localhost:" + std::to_string(tls_port_); }

 private:
  test_support::Folder folder_;
  int port_;
  int tls_port_;
  std::unique_ptr<Process> process_;
};

class InFrontOfNginx : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!std::filesystem::exists(kNginxProgram)) {
      GTEST_SKIP() << "nginx-light is not installed";
    }
    nginx_ = std::make_unique<Nginx>(certificate_);
  }

  // It starts beside the mock: until it listens, there is no connection.
  static spec::http::ResponseRecord ask(const Front& front, const std::string& fields = {}) {
    auto record = front.ask("GET", "/a.json", fields);
    for (int at = 0; at < 1'000 && record.response.body.find("cannot connect") != std::string::npos;
         ++at) {
      record = front.ask("GET", "/a.json", fields);
    }
    return record;
  }

  Certificate certificate_;
  std::unique_ptr<Nginx> nginx_;
};

}  // namespace

TEST_F(InFrontOfNginx, its_files_come_as_they_are) {
  const Front front(nginx_->url(), {"--quiet"});

  const auto whole = ask(front);
  const auto part = front.ask("GET", "/a.json", "Range: bytes=0-9\r\n");
  const auto packed = front.ask("GET", "/a.json", "Accept-Encoding: gzip\r\n");
  const auto none = front.ask("GET", "/b.json");

  EXPECT_EQ(whole.response.body, std::string(300'000, '7'));
  EXPECT_THAT(std::string(whole.response.headers.find("Server").value_or("")), HasSubstr("nginx"));
  EXPECT_EQ(part.head.status, 206);
  EXPECT_EQ(part.response.body, "7777777777");
  EXPECT_EQ(packed.response.headers.find("Content-Encoding"), "gzip");
  EXPECT_LT(packed.response.body.size(), 10'000U);
  EXPECT_EQ(none.head.status, 404);
  EXPECT_EQ(none.response.headers.find("X-Counterpart-Served-By"), "upstream");
}

TEST_F(InFrontOfNginx, its_certificate_must_verify) {
  const Front trusting(nginx_->tls_url(),
                       {"--quiet", "--upstream-ca", certificate_.certificate_file()});
  const Front careful(nginx_->tls_url(), {"--quiet"});

  const auto trusted = ask(trusting);
  const auto again = trusting.ask("GET", "/a.json");
  const auto rejected = careful.ask("GET", "/a.json");

  EXPECT_EQ(trusted.head.status, 200) << trusted.response.body;
  EXPECT_EQ(again.response.body.size(), 300'000U);
  EXPECT_EQ(rejected.head.status, 502);
  EXPECT_THAT(rejected.response.body, HasSubstr("certificate"));
  EXPECT_THAT(rejected.response.body, HasSubstr("--upstream-ca FILE"));
}

TEST(WrongScheme, has_a_remedy) {
  const Certificate certificate;
  const testing::StandIn plain({"HTTP/1.1 400 Bad\r\nContent-Length: 0\r\n\r\n"});
  const Front front("https://127.0.0.1:" + std::to_string(plain.port()), {"--quiet"});

  const auto record = front.ask("GET", "/a");

  EXPECT_EQ(record.head.status, 502);
  EXPECT_THAT(record.response.body, HasSubstr("use http://"));
}

TEST(WrongScheme, is_rejected_at_the_start_where_it_is_no_http) {
  for (const char* const url : {"ftp://a", "localhost:4010", "http://", "http://a?b"}) {
    EXPECT_THROW(Front(url, {"--quiet"}), std::runtime_error) << url;
  }
}

}  // namespace mock_server::upstream
