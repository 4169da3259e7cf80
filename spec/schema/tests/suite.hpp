#pragma once

// Test data in the form of the official suite: files of groups, each a schema and cases. For tests.

#include "spec/schema/validator/validate.hpp"

#include <nlohmann/json.hpp>

#include <memory>
#include <set>
#include <string>
#include <vector>

namespace spec::schema::testdata {

struct SuiteCase {
  std::string section;  // "required", "optional", "format"
  std::string file;
  std::string group;
  std::string description;
  std::string name;                           // the slug of all three, unique
  std::shared_ptr<const std::string> schema;  // as JSON text
  nlohmann::json data;
  bool valid = false;
};

struct ValidationResult {
  Verdict verdict = Verdict::kUndecided;
  std::vector<std::string> violations;
};

// The folder of test data.
std::string folder();

// Every case of the official suite for 2020-12; empty if it is not there.
std::vector<SuiteCase> official_cases();

// The names of the cases that we do not pass; the file has the reasons.
std::set<std::string> exceptions();

// Compiles the case's schema, with the suite's remote documents at hand, and validates its data.
ValidationResult validator(const SuiteCase& suite_case);

// "additionalProperties being false does not allow other properties" as a test name.
std::string slug(const std::string& text);

}  // namespace spec::schema::testdata

namespace spec::schema {

// Register one test for each case with GoogleTest: the official suite's, and our own.
void register_official_suite();
void register_schema_cases();

}  // namespace spec::schema
