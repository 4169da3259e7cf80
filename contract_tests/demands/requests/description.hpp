#pragma once

// Whether the contract that a server serves is the one that it is tested against.

#include "contract_tests/demands/drafting.hpp"

#include <string>

namespace contract_tests::demands::requests {

// Makes `item` read the served contract at `path`. The case is skipped when there is none. Versions
// must agree; where it is the same document (by its title), paths and components too.
void ask_for_description(Case& item, std::string path);

}  // namespace contract_tests::demands::requests
