#include "contract_tests/program/program.hpp"
#include "spec/contract/loading/load.hpp"
#include "spec/load_error.hpp"

#include <exception>
#include <iostream>

int main(int argc, char** argv) {
  constexpr int kUnusable = 2;
  try {
    return contract_tests::program::run_program(argc, argv);
  } catch (const spec::LoadError& error) {
    std::cerr << "contract_tests: " << error.what() << '\n';
    if (dynamic_cast<const spec::contract::TolerableError*>(&error) != nullptr) {
      std::cerr << "contract_tests: " << spec::contract::kTolerateHint << '\n';
    }
  } catch (const std::exception& error) {
    std::cerr << "contract_tests: " << error.what() << '\n';
  }
  return kUnusable;
}
