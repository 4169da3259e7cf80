#pragma once

// A self-signed certificate for "localhost", made anew in a folder that goes away with the object.

#include "spec/tests/folder.hpp"

#include <string>

namespace mock_server::transport::testing {

class Certificate {
 public:
  Certificate();

  std::string certificate_file() const { return folder_.path() / "certificate.pem"; }

  std::string key_file() const { return folder_.path() / "key.pem"; }

 private:
  test_support::Folder folder_;
};

}  // namespace mock_server::transport::testing
