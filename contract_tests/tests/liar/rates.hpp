#pragma once

// How many lies were caught, by class, and how many honest variations raised an alarm: counted by
// each shard of the tests, written to a file, summed over all shards and held to the gate. For
// tests of the suite alone.

#include "contract_tests/tests/liar/jury.hpp"

#include <nlohmann/json_fwd.hpp>

#include <filesystem>
#include <string>
#include <vector>

namespace contract_tests::liar {

struct Count {
  std::size_t told = 0;
  std::size_t caught = 0;
  std::vector<std::string> missed;  // names of files
};

struct Rates {
  Count document;
  Count standard;
  Count assumption;
  Count variations;  // `caught` are those that were left alone
  std::size_t requests = 0;

  void add(const Charge& charge, const Testimony& testimony);
  void add(const Rates& other);
};

nlohmann::json to_json(const Rates& rates);
Rates rates_from(const nlohmann::json& data);
// Throws std::runtime_error when the file cannot be read or written.
void write_rates(const Rates& rates, const std::filesystem::path& file);
// The sum over every .json file of `folder`.
Rates read_rates(const std::filesystem::path& folder);

// A line a class with its rate, a line on false alarms, and the names of what was missed.
std::string printed(const Rates& rates);
// What is below the gate, one line each; empty when nothing is: every lie of class document and
// standard is caught, 98 of 100 of class assumption, no variation raises an alarm, and there are
// at least 250 lies and 80 variations. `all` is the number of files that there are.
std::vector<std::string> below_gate(const Rates& rates, std::size_t all);

}  // namespace contract_tests::liar
