#pragma once

// Two list fields with a grammar of their own: challenges and cache directives. Pure functions.

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace contract_tests::checks {

// The schemes of a WWW-Authenticate field's challenges, in lower case and in their order; nothing
// when it is no list of challenges. Source: RFC 9110 §11.6.1, §11.2, §5.6.1.
std::optional<std::vector<std::string>> challenge_schemes(std::string_view field);

// The directives of a Cache-Control field in lower case, with their arguments, "" for none; of a
// repeated one the first counts. Invalid directives are skipped. Source: RFC 9111 §5.2.
std::map<std::string, std::string> cache_directives(std::string_view field);

}  // namespace contract_tests::checks
