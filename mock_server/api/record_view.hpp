#pragma once

// Makes responses from records: which members, status and media type. Used at load, where responses
// are prepared and validated, and while serving changed records.

#include "mock_server/api/binding.hpp"
#include "mock_server/api/condition.hpp"
#include "spec/contract/contract.hpp"
#include "spec/http/message.hpp"
#include "spec/schema/spelling.hpp"

#include <nlohmann/json_fwd.hpp>

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace mock_server::api {

// Gives the response the JSON media type that the operation declares for its status, if any, as it
// is written there.
void set_json_type(const spec::contract::Operation& operation, spec::http::Response& response);

// `body` under `status`, with the JSON media type that the operation declares for it and without
// what its schema keeps to requests (writeOnly).
spec::http::Response operation_response(const spec::contract::Contract& contract,
                                        const spec::contract::Operation& operation, int status,
                                        const nlohmann::json& body);

// The schema of the operation's JSON response under `status`; nothing when it has none.
std::optional<spec::schema::AppliedSchema> response_schema(
    const spec::contract::Contract& contract, const spec::contract::Operation& operation,
    int status);

// The record with the members that the response calls otherwise.
nlohmann::json named_record(const Binding& binding, const nlohmann::json& record);

// The record without the members that the binding hides, and with those that the response calls
// otherwise.
nlohmann::json shown_record(const Binding& binding, const nlohmann::json& record);

// `elements` at their place in the response of the list; "0" in the place is the first of a list.
nlohmann::json wrap_elements(const std::vector<std::string>& into, nlohmann::json elements);

// "fixtures/customers.yaml:12: customers/cus_1".
std::string describe(const Collection& collection, const Record& record);

// The key of the record that a call is about; of a single record, the collection's name. Nothing
// when the call has none there. Precondition: the binding has a collection.
std::optional<std::string> key_given(const Binding& binding, const Scope& scope);

// The file of that name below the fixtures' folders, of the last folder that has it. For names that
// come from outside: one that leads out of the folders is none.
std::optional<std::filesystem::path> find_record_file(
    const std::vector<std::filesystem::path>& folders, std::string_view name);

}  // namespace mock_server::api
