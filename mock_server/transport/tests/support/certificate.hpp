#pragma once

// A self-signed certificate for "localhost", made anew in a folder that goes away with the object.

#include <filesystem>
#include <string>

namespace mock_server::transport::testing {

class Certificate {
 public:
  Certificate();
  ~Certificate();
  Certificate(const Certificate&) = delete;
  Certificate& operator=(const Certificate&) = delete;

  std::string certificate_file() const { return folder_ / "certificate.pem"; }

  std::string key_file() const { return folder_ / "key.pem"; }

 private:
  std::filesystem::path folder_;
};

}  // namespace mock_server::transport::testing
