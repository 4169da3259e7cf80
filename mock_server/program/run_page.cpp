#include "mock_server/program/run_page.hpp"

#include "mock_server/console/page.hpp"
#include "mock_server/control/coverage.hpp"
#include "spec/json/read.hpp"
#include "spec/load_error.hpp"

#include <nlohmann/json.hpp>

#include <array>
#include <cerrno>
#include <filesystem>
#include <iostream>
#include <system_error>

namespace mock_server::program {
namespace {

using nlohmann::json;

// With their explanations, the newest; a file of more is slow to open.
constexpr std::string_view kRequests = "/_mock/requests?session=*&limit=1000";

class Asker {
 public:
  Asker(service::MockService& service, const std::string& token)
      : service_(service), token_(token) {}

  // The JSON at `target` as `session` sees it; null if there is none.
  json ask(std::string_view target, const std::string& session = "") const {
    spec::http::Request request{"GET", std::string(target), {{"Accept", "application/json"}}, ""};
    if (!session.empty()) {
      request.headers.add("X-Counterpart-Session", session);
    }
    if (!token_.empty()) {
      request.headers.add("X-Counterpart-Control-Token", token_);
    }
    const reply::Reply reply = service_.handle(request, {true, "127.0.0.1"});
    auto value = spec::json::read(reply.response.body);
    return reply.response.status == 200 && value ? std::move(*value) : json();
  }

 private:
  service::MockService& service_;
  const std::string& token_;
};

json coverage_of(const run::Summary& summary) {
  json coverage = control::describe(summary.coverage);
  coverage["requests"] = summary.requests();
  coverage["lost"] = 0;
  return coverage;
}

json recorded(const Asker& asker, const run::Summary& summary) {
  json all = json::object();
  for (const std::string_view path : {"/_mock/", "/_mock/operations", "/_mock/records",
                                      "/_mock/scenarios", "/_mock/sessions", "/_mock/clock"}) {
    all[std::string(path)] = asker.ask(path);
  }
  all["/_mock/coverage"] = coverage_of(summary);
  all["/_mock/requests"] = asker.ask(kRequests);
  for (const json& request : all["/_mock/requests"].value("requests", json::array())) {
    const std::string path = "/_mock/requests/" + std::to_string(request.value("id", 0));
    all[path] = asker.ask(path, request.value("session", ""));
  }
  for (const json& collection : all["/_mock/records"].value("collections", json::array())) {
    const std::string path = "/_mock/records/" + collection.value("name", "");
    all[path] = asker.ask(path);
  }
  return all;
}

[[noreturn]] void reject_report(const std::string& place, const std::string& why) {
  throw spec::LoadError(
      spec::Problem{place, 0, 0, "", "--report: " + why + "; name a folder that can be written"});
}

}  // namespace

RunPage::RunPage(const std::string& folder) {
  if (folder.empty()) {
    return;
  }
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  if (error) {
    reject_report(folder, "cannot make the folder: " + error.message());
  }
  file_ = (std::filesystem::path(folder) / "console.html").string();
  out_.open(file_, std::ios::binary);
  if (!out_) {
    reject_report(file_, "cannot write the file: " + std::generic_category().message(errno));
  }
}

void RunPage::write(service::MockService& service, const std::string& token,
                    const run::Summary& summary) {
  if (file_.empty()) {
    return;
  }
  out_ << console::page_with(recorded(Asker(service, token), summary)) << std::flush;
  if (out_) {
    std::cerr << "report: " << file_ << '\n';
  } else {
    std::cerr << "mock_server: " << file_ << ": cannot be written; is the disk full?\n";
  }
}

}  // namespace mock_server::program
