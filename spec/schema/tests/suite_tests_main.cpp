// Tests whose cases are data: the official suite's, and our own.

#include "spec/schema/tests/suite.hpp"

#include <gtest/gtest.h>

int main(int argc, char** argv) {
  testing::InitGoogleTest(&argc, argv);
  spec::schema::register_official_suite();
  spec::schema::register_schema_cases();
  return RUN_ALL_TESTS();
}
