// What a container serves: what was mounted, else what was shipped.

#include "mock_server/program/mounts.hpp"

#include "mock_server/program/options.hpp"
#include "spec/load_error.hpp"
#include "spec/tests/folder.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <string>
#include <vector>

namespace mock_server::program {
namespace {

constexpr const char* kDescription = "openapi: 3.1.0\ninfo: {title: A, version: '1'}\npaths: {}\n";

class MountedFolder : public testing::Test {
 protected:
  Options options(std::vector<std::string> words = {}) const {
    words.insert(words.begin(), {"mock_server", "--mounts", folder_.path().string()});
    std::vector<char*> pointers;
    for (std::string& word : words) {
      pointers.push_back(word.data());
    }
    return parse_command_line(static_cast<int>(pointers.size()), pointers.data()).options.value();
  }

  std::string problem() const {
    try {
      return "it was accepted: " + mounted_contract(folder_.path()).string();
    } catch (const spec::LoadError& error) {
      return error.what();
    }
  }

  std::string at(const std::string& name) const { return (folder_.path() / name).string(); }

  test_support::Folder folder_;
};

TEST_F(MountedFolder, with_nothing_in_it_changes_nothing) {
  EXPECT_THAT(options().api.contract.string(), testing::EndsWith("/spec/payments.openapi.yaml"));
  EXPECT_THAT(options().api.folders, testing::SizeIs(1));
}

TEST_F(MountedFolder, with_fixtures_adds_them_to_the_shipped_ones) {
  folder_.write("fixtures/customers.yaml", "{}");

  const Options found = options();

  ASSERT_THAT(found.api.folders, testing::SizeIs(2));
  EXPECT_EQ(found.api.folders.back().string(), at("fixtures"));
}

TEST_F(MountedFolder, with_a_contract_leaves_the_shipped_fixtures_out) {
  folder_.write("contract/api.yaml", kDescription);
  folder_.write("fixtures/customers.yaml", "{}");

  const Options found = options();

  EXPECT_EQ(found.api.contract.string(), at("contract/api.yaml"));
  EXPECT_THAT(found.api.folders, testing::ElementsAre(at("fixtures")));
}

TEST_F(MountedFolder, whose_contract_is_a_file_serves_it) {
  folder_.write("contract", kDescription);

  EXPECT_EQ(options().api.contract.string(), at("contract"));
}

TEST_F(MountedFolder, knows_the_description_among_the_files_that_it_refers_to) {
  folder_.write("contract/.api.yaml", kDescription);
  folder_.write("contract/api.yml", kDescription);
  folder_.write("contract/broken.yaml", "a: [");
  folder_.write("contract/notes.txt", kDescription);
  folder_.write("contract/schemas.json", "{}");

  EXPECT_EQ(mounted_contract(folder_.path()).string(), at("contract/api.yml"));
}

TEST_F(MountedFolder, with_a_contract_that_is_named_by_a_flag_is_not_searched) {
  folder_.write("contract/old.yaml", kDescription);
  const auto named = folder_.write("contract/new.yaml", kDescription);

  EXPECT_EQ(options({"--contract", named.string()}).api.contract, named);
}

TEST_F(MountedFolder, with_no_document_or_several_is_rejected) {
  folder_.write("contract/notes.txt", "");
  EXPECT_EQ(problem(), at("contract") +
                           ": has no file *.yaml, *.yml or *.json; mount the folder "
                           "of a contract, or nothing");

  folder_.write("contract/a.yaml", "{}");
  folder_.write("contract/b.yaml", "{}");
  EXPECT_EQ(problem(), at("contract") +
                           ": no file in it is an OpenAPI document: a.yaml, b.yaml; "
                           "name the contract with --contract FILE");

  folder_.write("contract/a.yaml", kDescription);
  folder_.write("contract/b.yaml", kDescription);
  EXPECT_EQ(problem(), at("contract") +
                           ": has several OpenAPI documents: a.yaml, b.yaml; name one "
                           "with --contract FILE");
}

TEST_F(MountedFolder, whose_fixtures_are_a_file_is_rejected) {
  folder_.write("fixtures", "{}");

  EXPECT_THROW(mounted_fixtures(folder_.path()), spec::LoadError);
}

// What an image sets, for flags would keep its user from naming a subcommand.
TEST_F(MountedFolder, and_address_are_taken_from_the_environment) {
  folder_.write("contract/api.yaml", kDescription);
  ::setenv("COUNTERPART_MOUNTS", folder_.path().c_str(), 1);
  ::setenv("COUNTERPART_HOST", "0.0.0.0", 1);
  ::setenv("COUNTERPART_OPEN_CONTROL", "true", 1);
  ::setenv("COUNTERPART_WATCH", "true", 1);
  std::string name = "mock_server";
  char* words[] = {name.data()};

  const Options found = parse_command_line(1, words).options.value();

  for (const char* variable : {"MOUNTS", "HOST", "OPEN_CONTROL", "WATCH"}) {
    ::unsetenv((std::string("COUNTERPART_") + variable).c_str());
  }
  EXPECT_EQ(found.api.contract.string(), at("contract/api.yaml"));
  EXPECT_EQ(found.listener.host, "0.0.0.0");
  EXPECT_TRUE(found.service.control.is_open);
  EXPECT_TRUE(found.watch);
}

}  // namespace
}  // namespace mock_server::program
