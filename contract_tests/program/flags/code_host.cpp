#include "contract_tests/program/flags/code_host.hpp"

namespace contract_tests::program::flags {

std::string why_no_code_host(const std::string& text) {
  const bool known = text == "auto" || text == "github" || text == "gitlab" || text == "none";
  return known ? "" : "must be auto, github, gitlab or none, but is " + text;
}

}  // namespace contract_tests::program::flags
