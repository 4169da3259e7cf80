#pragma once

// Functions of the commands over a file of recorded calls.

#include "contract_tests/client/client.hpp"
#include "contract_tests/parity/recorded_calls.hpp"
#include "contract_tests/program/run_options.hpp"
#include "contract_tests/run/run_settings.hpp"
#include "spec/contract/contract.hpp"

#include <filesystem>
#include <optional>
#include <string>

namespace contract_tests::program {

// Throws spec::LoadError for the lines that a recorder writes beside its HAR; `flag` named the
// file.
void reject_lines(const std::filesystem::path& file, const std::string& flag);

// Whose calls: of --base-url, below the path of the contract's servers where it has none. Empty
// if it is not given. Throws spec::LoadError.
std::optional<client::BaseUrl> service_of_calls(const Options& options,
                                                const spec::contract::Contract& contract);

// The credentials of the calls are redacted beside those of the run.
void redact_credentials(const spec::contract::Contract& contract,
                        const parity::RecordedCalls& chosen, run::Settings& settings);

// "the file has no call to an operation of the contract at https://a.example", with a hint if there
// is one; "" if calls were chosen.
std::string why_no_call(const parity::RecordedCalls& chosen, const Options& options);

}  // namespace contract_tests::program
