#include "mock_server/service/tests/test_service.hpp"

#include "mock_server/api/loading/load_api.hpp"

#include <utility>

namespace mock_server::service {

// 2026-01-01T00:00:00Z
TestService::TestService(const Files& files, ServiceOptions options, state::StoreLimits limits)
    : now(std::chrono::seconds(1'767'225'600)),
      state_(state::conformance::wanted_kind().open({[this] { return now; }, limits})),
      options_(std::move(options)) {
  write(files);
  start();
}

TestService::TestService(const Files& files, std::size_t seed_records)
    : now(std::chrono::seconds(1'767'225'600)),
      infers_(true),
      seed_records_(seed_records),
      state_(state::conformance::wanted_kind().open({[this] { return now; }})) {
  write(files);
  start();
}

void TestService::write(const Files& files) const {
  for (const auto& [name, text] : files) {
    folder_.write(name, text);
  }
}

void TestService::start() {
  service_ = std::make_unique<MockService>(api::load_api(api_options()), state_->store(),
                                           state_->journal(), options_);
}

void TestService::restart() {
  service_.reset();
  state_->reopen();
  start();
}

api::LoadedApiOptions TestService::api_options() const {
  api::LoadedApiOptions api{folder() / "contract.yaml", {}, false};
  api.infers = infers_;
  api.seed_records = seed_records_;
  if (std::filesystem::exists(folder() / "fixtures")) {
    api.folders = {folder() / "fixtures"};
  }
  return api;
}

std::vector<std::string> TestService::reload(const Files& files) {
  write(files);
  return service_->replace_api(api::load_api(api_options()));
}

reply::Reply TestService::ask(const spec::http::Request& request, bool loopback, bool on_worker) {
  return service_->handle(request, {.loopback = loopback,
                                    .address = loopback ? "127.0.0.1" : "192.0.2.7",
                                    .on_worker = on_worker});
}

reply::Reply TestService::ask_patiently(const spec::http::Request& request) {
  reply::Reply reply = ask(request);
  return reply.needs_worker ? ask(request, true, true) : std::move(reply);
}

spec::http::Response TestService::get(const std::string& target) {
  return ask_patiently({"GET", target, {}, ""}).response;
}

spec::http::Response TestService::send(const std::string& method, const std::string& target,
                                       const std::string& json) {
  return ask_patiently({method, target, {{"Content-Type", "application/json"}}, json}).response;
}

}  // namespace mock_server::service
