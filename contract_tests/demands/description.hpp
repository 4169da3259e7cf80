#pragma once

// Whether the description that a server serves of itself is the contract that it is tested by.

#include "contract_tests/demands/drafting.hpp"

#include <string>

namespace contract_tests::demands {

// Makes `item` ask for the description at `path`. What serves none there is not tested. Versions
// must agree; where it is the same document (by its title), paths and components too.
void ask_for_description(Case& item, std::string path);

}  // namespace contract_tests::demands
