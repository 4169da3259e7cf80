#pragma once

// Secrets out of everything that is shown: texts, requests, whole exchanges. Pure functions.

#include "contract_tests/client/exchange.hpp"
#include "contract_tests/run/settings.hpp"

#include <string>
#include <string_view>

namespace contract_tests::run {

// True for a secret that is found wherever it stands: of some length, and no plain word. "test" is
// not: it is known for a secret only where it stands as one ("Bearer test", "token=test").
bool is_telling(std::string_view secret);

// True when `text` shows a secret of the run: as a word of its own, a plain one as credentials.
bool shows_secret(const Settings& settings, std::string_view text);

// `text` with every secret replaced by $TOKEN; also where it stands percent-encoded, in the other
// letter case, or where only its first half is left, as cut texts leave it.
std::string masked(const Settings& settings, std::string text);

// Request and URL alone: what a curl line is made of.
client::Exchange masked_request(const Settings& settings, const client::Exchange& exchange);

// Everything that was sent and heard, bodies and long lines cut to what a report can show.
client::Exchange masked_exchange(const Settings& settings, const client::Exchange& exchange);

}  // namespace contract_tests::run
