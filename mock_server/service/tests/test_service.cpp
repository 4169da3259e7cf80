#include "mock_server/service/tests/test_service.hpp"

#include "mock_server/fixtures/loading/load_api.hpp"

#include <cstdlib>
#include <fstream>
#include <utility>

namespace mock_server::service {
namespace {

namespace fs = std::filesystem;

void write_files(const fs::path& folder, const TestService::Files& files) {
  for (const auto& [name, text] : files) {
    fs::create_directories((folder / name).parent_path());
    std::ofstream(folder / name, std::ios::binary) << text;
  }
}

fs::path make_folder(const TestService::Files& files) {
  std::string pattern = (fs::temp_directory_path() / "pipeline.XXXXXX").string();
  const fs::path folder = ::mkdtemp(pattern.data());
  write_files(folder, files);
  return folder;
}

}  // namespace

// 2026-01-01T00:00:00Z
TestService::TestService(const Files& files, ServiceOptions options, state::StoreLimits limits)
    : now(std::chrono::seconds(1'767'225'600)),
      folder_(make_folder(files)),
      state_(state::conformance::wanted_kind().open({[this] { return now; }, limits})),
      options_(std::move(options)) {
  try {
    start();
  } catch (...) {
    fs::remove_all(folder_);
    throw;
  }
}

TestService::TestService(const Files& files, std::size_t seed_records)
    : now(std::chrono::seconds(1'767'225'600)),
      folder_(make_folder(files)),
      infers_(true),
      seed_records_(seed_records),
      state_(state::conformance::wanted_kind().open({[this] { return now; }})) {
  start();
}

void TestService::start() {
  service_ = std::make_unique<MockService>(fixtures::load_api(api_options()), state_->store(),
                                           state_->journal(), options_);
}

void TestService::restart() {
  service_.reset();
  state_->reopen();
  start();
}

TestService::~TestService() {
  fs::remove_all(folder_);
}

fixtures::LoadedApiOptions TestService::api_options() const {
  fixtures::LoadedApiOptions api{folder_ / "contract.yaml", {}, false};
  api.infers = infers_;
  api.seed_records = seed_records_;
  if (fs::exists(folder_ / "fixtures")) {
    api.folders = {folder_ / "fixtures"};
  }
  return api;
}

std::vector<std::string> TestService::reload(const Files& files) {
  write_files(folder_, files);
  return service_->replace_api(fixtures::load_api(api_options()));
}

reply::Reply TestService::ask(const spec::http::Request& request, bool loopback) {
  return service_->handle(request, {loopback, loopback ? "127.0.0.1" : "192.0.2.7"});
}

spec::http::Response TestService::get(const std::string& target) {
  return ask({"GET", target, {}, ""}).response;
}

spec::http::Response TestService::send(const std::string& method, const std::string& target,
                                       const std::string& json) {
  return ask({method, target, {{"Content-Type", "application/json"}}, json}).response;
}

}  // namespace mock_server::service
