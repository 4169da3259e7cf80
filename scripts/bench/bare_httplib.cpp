// The least that cpp-httplib can do for one answer: no contract, no routing beyond one handler, no
// credentials, no journal. What Counterpart is compared with in scripts/bench.sh, never shipped.
//
//   bare_httplib PORT BODY_FILE MEDIA_TYPE
#include <httplib.h>

#include <csignal>
#include <fstream>
#include <iostream>
#include <iterator>
#include <string>

int main(int argc, char** argv) {
  if (argc != 4) {
    std::cerr << "bare_httplib PORT BODY_FILE MEDIA_TYPE\n";
    return 2;
  }
  std::ifstream file(argv[2], std::ios::binary);
  const std::string body{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
  const std::string media_type = argv[3];

  httplib::Server server;
  // One thread for each connection of the load, and no end to a connection: its best case.
  server.new_task_queue = [] { return new httplib::ThreadPool(80); };
  server.set_keep_alive_max_count(1'000'000'000);
  server.set_tcp_nodelay(true);
  server.Get(".*", [&](const httplib::Request&, httplib::Response& response) {
    response.set_content(body, media_type.c_str());
  });
  return server.listen("127.0.0.1", std::stoi(argv[1])) ? 0 : 2;
}
