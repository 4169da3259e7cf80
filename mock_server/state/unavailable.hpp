#pragma once

// The store of state cannot be asked now: the request that needs it is rejected with 503 and may be
// sent again.

#include <stdexcept>

namespace mock_server::state {

class Unavailable : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

}  // namespace mock_server::state
