#pragma once

// A mock without sockets for tests: a small contract and fixtures in a temporary folder, with the
// state that COUNTERPART_TEST_STATE names.

#include "mock_server/service/mock_service.hpp"
#include "mock_server/state/conformance/tests/state_kinds.hpp"
#include "spec/tests/folder.hpp"

#include <filesystem>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace mock_server::service {

class TestService {
 public:
  using Files = std::vector<std::pair<std::string, std::string>>;

  // `files`: paths below the folder and their texts, "contract.yaml" among them; what lies in
  // "fixtures/" is the fixtures folder. Throws spec::LoadError as load_api does.
  explicit TestService(const Files& files, ServiceOptions options = {},
                       state::StoreLimits limits = {});
  // The same, with bindings inferred, and so many generated records in each collection.
  TestService(const Files& files, std::size_t seed_records);

  reply::Reply ask(const spec::http::Request& request, bool loopback = true,
                   bool on_worker = false);
  // By a worker where the loop leaves it to one, as the next two.
  reply::Reply ask_patiently(const spec::http::Request& request);
  // GET without headers.
  spec::http::Response get(const std::string& target);
  spec::http::Response send(const std::string& method, const std::string& target,
                            const std::string& json);

  // Writes `files` over those there are and puts what is loaded then on stage; gives what sessions
  // could not keep.
  std::vector<std::string> reload(const Files& files);

  // Ends and starts again, with what is kept; without effect where nothing is.
  void restart();

  const std::filesystem::path& folder() const { return folder_.path(); }

  state::TimePoint now;  // what the machine's clock shows

 private:
  api::LoadedApiOptions api_options() const;
  void write(const Files& files) const;
  void start();

  test_support::Folder folder_;
  bool infers_ = false;
  std::size_t seed_records_ = 0;
  std::unique_ptr<state::conformance::OpenedState> state_;
  ServiceOptions options_;
  std::unique_ptr<MockService> service_;
};

}  // namespace mock_server::service
