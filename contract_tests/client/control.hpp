#pragma once

// Set-up and control calls, which judge nothing: is a server there, is it the double, put the
// double back. By cpp-httplib.

#include "contract_tests/client/base_url.hpp"

#include <chrono>
#include <string>

namespace contract_tests::client {

struct ControlOptions {
  std::string ca_file;
  std::chrono::milliseconds timeout{5'000};
};

// True when `url` is answered by Counterpart's own double: GET /_mock/health says so.
bool is_double(const BaseUrl& url, const ControlOptions& options = {});

// Puts every record of the double back. False when it does not say that it did.
bool reset_double(const BaseUrl& url, const ControlOptions& options = {});

}  // namespace contract_tests::client
