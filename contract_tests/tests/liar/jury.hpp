#pragma once

// Tries the suite against servers of our own: for each charge (a lie, or an honest variation) the
// whole plan of the operations that it concerns, over real sockets, on several threads, each charge
// in a world of its own on one shared double. For tests of the suite alone.

#include "contract_tests/checks/finding.hpp"

#include <nlohmann/json.hpp>

#include <chrono>
#include <cstddef>
#include <memory>
#include <string>
#include <vector>

namespace contract_tests::liar {

// One file of lies/ or variations/.
struct Charge {
  std::string name;  // of the file, without its ending
  nlohmann::json data;

  bool is_lie() const { return data.contains("lie"); }
};

// What the suite said.
struct Testimony {
  std::vector<checks::Finding> findings;
  std::size_t requests = 0;
  std::chrono::milliseconds time{0};
};

// Every file of both folders, by name, each held to lies.schema.yaml. Throws spec::LoadError.
std::vector<Charge> load_charges();

class Jury {
 public:
  // Loads contract, rules and plan, and starts the double. Throws spec::LoadError.
  Jury();
  ~Jury();
  Jury(const Jury&) = delete;
  Jury& operator=(const Jury&) = delete;

  // Starts to try the charges, which must outlive the jury.
  void start(std::vector<const Charge*> charges, unsigned jobs);
  // What became of one of them; waits for it.
  const Testimony& wait(const Charge& charge);

 private:
  struct World;
  struct Work;

  Testimony hear(const Charge& charge) const;

  std::unique_ptr<World> world_;
  std::unique_ptr<Work> work_;
};

// True when a finding names the rule and the class that a lie's file expects, and is no mere note.
bool is_caught(const Charge& lie, const std::vector<checks::Finding>& findings);
// Findings that would trouble an honest service: errors and warnings.
std::vector<checks::Finding> alarms(const std::vector<checks::Finding>& findings);
// One line a finding, for messages; at most about 6,000 characters.
std::string listed(const std::vector<checks::Finding>& findings);

}  // namespace contract_tests::liar
