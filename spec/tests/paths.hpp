#pragma once

// Places that the build knows and tests need. Functions in one generated source, not macros: what
// one clone compiled then serves another through the compiler cache.

#include <string>

namespace test_paths {

// The root of the source tree.
std::string source();
// The programs of this build.
std::string mock_server();
std::string contract_tests();
std::string transport_program();
// A library of this build for LD_PRELOAD.
std::string preloaded(const std::string& name);

}  // namespace test_paths
