#pragma once

// contract_tests from command line to exit code; main calls it and nothing else.

namespace contract_tests::program {

// 0 passed, 1 failed, 2 wrong usage or could not start, 3 inconclusive. May throw spec::LoadError.
int run_program(int argc, char** argv);

}  // namespace contract_tests::program
