#pragma once

// A small contract of two files with fixtures, in a folder that goes away with the object; for
// tests that change them while the program serves.

#include "spec/tests/folder.hpp"

#include <string>
#include <string_view>

namespace mock_server::program {

class ApiOnDisk {
 public:
  enum class How { kInPlace, kMovedIn };

  ApiOnDisk();

  std::string folder() const { return folder_.path(); }

  std::string contract() const { return folder_.path() / "contract.yaml"; }

  std::string fixtures() const { return folder_.path() / "fixtures"; }

  // The unit of the record "one" of version `version`.
  static std::string unit_of(int version) { return "u" + std::to_string(version); }

  // Contract, referenced schema and fixtures of a version, all good.
  void write_version(int version) const;
  // Breaks one file: another kind of file, in another way, for each `turn`.
  void break_one(int turn) const;

  void write_contract(std::string_view text) const { write("contract.yaml", text); }

  // The schema's rule for the unit.
  void write_schema(std::string_view rule) const;
  void write_fixtures(const std::string& unit, How how = How::kInPlace) const;
  void add_fixture(const std::string& name, std::string_view text) const;
  void write(const std::string& name, std::string_view text, How how = How::kMovedIn) const;

 private:
  test_support::Folder folder_;
};

}  // namespace mock_server::program
