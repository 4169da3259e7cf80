// A listener with the tests' small service as a program of its own, for what can only be shown from
// outside a process: limits of the system, signals, other servers beside it, load.

#include "mock_server/transport/listener.hpp"
#include "mock_server/transport/tests/support/handler.hpp"
#include "spec/load_error.hpp"

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include <csignal>
#include <cstdio>
#include <exception>

namespace {

mock_server::transport::Listener* serving = nullptr;

void on_signal(int) {
  serving->stop();
}

int serve(mock_server::transport::ListenerOptions options, bool tells_health) {
  mock_server::transport::Listener listener(std::move(options),
                                            mock_server::transport::testing::handler());
  serving = &listener;
  std::signal(SIGTERM, on_signal);
  std::signal(SIGINT, on_signal);
  std::printf("listening on %s\n", listener.url().c_str());
  std::fflush(stdout);
  listener.run();
  if (tells_health) {
    std::printf("%s\n", listener.health().dump().c_str());
  }
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app("The mock's transport with a small service behind it");
  mock_server::transport::ListenerOptions options;
  bool tells_health = false;
  mock_server::transport::register_address_flags(app, options);
  mock_server::transport::register_limit_flags(app, options);
  app.add_flag("--health", tells_health, "print counters at the end");
  CLI11_PARSE(app, argc, argv);
  try {
    return serve(std::move(options), tells_health);
  } catch (const spec::LoadError& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 2;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 2;
  }
}
