#pragma once

// contract_tests from command line to exit code; main calls it and nothing else.

namespace contract_tests::program {

// 0 kept, 1 broken, 2 usage or could not start, 3 inconclusive. May throw spec::LoadError.
int run_program(int argc, char** argv);

}  // namespace contract_tests::program
