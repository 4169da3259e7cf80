// The public probe's cases, by name: each is shown by some case of bytes or story of ours.

#include "spec/http/tests/wire_cases.hpp"
#include "spec/tests/paths.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>
#include <string>
#include <vector>

namespace mock_server::program {
namespace {

namespace fs = std::filesystem;

const std::string kRoot = test_paths::source() + "/";

void add_names(std::istringstream words, std::set<std::string>& names) {
  for (std::string name; words >> name;) {
    names.insert(name);
  }
}

std::set<std::string> shown_names() {
  std::set<std::string> names;
  for (const char* folder : {"spec/http/tests/requests", "mock_server/transport/tests/cases",
                             "mock_server/program/tests/hostile"}) {
    for (const auto& wire_case : spec::http::wire_cases::read_wire_cases(kRoot + folder)) {
      if (wire_case.has("probe")) {
        add_names(std::istringstream(wire_case.words.at("probe")), names);
      }
    }
  }
  for (const auto& entry : fs::directory_iterator(kRoot + "mock_server/tests/stories")) {
    std::ifstream story(entry.path());
    constexpr std::string_view kMark = "# probe ";
    for (std::string line; std::getline(story, line);) {
      const std::size_t at = std::min(line.find_first_not_of(' '), line.size());
      if (line.substr(at).starts_with(kMark)) {
        add_names(std::istringstream(line.substr(at + kMark.size())), names);
      }
    }
  }
  return names;
}

std::vector<std::string> probe_names() {
  std::vector<std::string> names;
  std::ifstream file(kRoot + "mock_server/program/tests/probe_names.txt");
  for (std::string line; std::getline(file, line);) {
    if (!line.empty() && line.front() != '#') {
      names.push_back(line);
    }
  }
  return names;
}

}  // namespace

TEST(PublicProbe, every_case_has_a_test_here) {
  const std::set<std::string> shown = shown_names();
  std::vector<std::string> missing;
  for (const std::string& name : probe_names()) {
    if (shown.count(name) == 0) {
      missing.push_back(name);
    }
  }
  EXPECT_GT(probe_names().size(), 200U);
  EXPECT_THAT(missing, ::testing::IsEmpty());
}

TEST(PublicProbe, no_test_names_an_unknown_case) {
  const auto known = probe_names();
  const std::set<std::string> names(known.begin(), known.end());
  std::vector<std::string> unknown;
  for (const std::string& name : shown_names()) {
    // Names of the specifications' sections are the probe's older ones.
    if (!name.starts_with("RFC") && names.count(name) == 0) {
      unknown.push_back(name);
    }
  }
  EXPECT_THAT(unknown, ::testing::IsEmpty());
}

}  // namespace mock_server::program
