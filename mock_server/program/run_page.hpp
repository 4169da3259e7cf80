#pragma once

// `run --report FOLDER`: what a run called as a page to open, the console with the run's data in
// it.

#include "mock_server/run/watch.hpp"
#include "mock_server/service/mock_service.hpp"

#include <nlohmann/json_fwd.hpp>

#include <fstream>
#include <string>

namespace mock_server::program {

class RunPage {
 public:
  // Makes the folder and the file in it; throws spec::LoadError if it cannot. "" for no page.
  explicit RunPage(const std::string& folder);

  // Asks the control API of `service`, whose token is `token`, for all that the page shows. The
  // coverage is that of the run's report.
  void write(service::MockService& service, const std::string& token, const run::Summary& summary);

 private:
  std::string file_;  // "" for no page
  std::ofstream out_;
};

}  // namespace mock_server::program
