#pragma once

// Secrets out of everything that is shown: texts, requests, whole exchanges. Pure functions.

#include "contract_tests/client/exchange.hpp"
#include "contract_tests/run/settings.hpp"

#include <optional>
#include <string>
#include <string_view>

namespace contract_tests::run {

// How `text` shows a secret of the run: "" as a word of its own (a plain one as credentials), else
// "in base64" and the like; nothing when it shows none.
std::optional<std::string> shown_secret(const Settings& settings, std::string_view text);

// `text` with every secret replaced by $TOKEN; also where it stands in another spelling
// (secrets.hpp), in the other letter case, or where only its first half is left, as cut texts leave
// it.
std::string masked(const Settings& settings, std::string text);

// Request and URL alone: what a curl line is made of.
client::Exchange masked_request(const Settings& settings, const client::Exchange& exchange);

// Everything that was sent and heard, bodies and long lines cut to what a report can show.
client::Exchange masked_exchange(const Settings& settings, const client::Exchange& exchange);

}  // namespace contract_tests::run
