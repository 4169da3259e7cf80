#pragma once

// The contract's view of a collection's records: the response that shows a whole one, its
// schemas, records generated from them, and their keys. Pure functions of contract and seed.

#include "mock_server/api/binding.hpp"
#include "spec/contract/contract.hpp"
#include "spec/schema/generate/generator.hpp"
#include "spec/schema/schema_summary.hpp"

#include <nlohmann/json_fwd.hpp>

#include <chrono>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace mock_server::api {

// The operation whose response shows most of a record, and where.
struct RecordSource {
  const spec::contract::Operation* operation = nullptr;  // null if no response shows one
  int status = 0;
  std::vector<std::string> at;  // "0" for the element of a list
  spec::schema::Schemas schemas;
  // Of the key in the paths of operations, the narrowest: a number, or a text of some form; empty
  // if they say nothing.
  spec::schema::Schemas key;
  std::string key_example;  // that the contract shows there or in an example of the response; or ""
};

RecordSource record_source(const spec::contract::Contract& contract,
                           std::span<const Binding> bindings, const Collection& collection);

// The schemas of the part of a body under `tokens`; none where nothing is said of it.
spec::schema::Schemas schemas_at(const spec::contract::Contract& contract,
                                 spec::schema::Schemas schemas,
                                 const std::vector<std::string>& tokens);

// The generator of records and its settings.
struct RecordMaker {
  const spec::contract::Contract& contract;
  const spec::schema::generate::Generator& generator;
  std::chrono::seconds later{0};  // their dates
  std::optional<spec::schema::generate::Row> row = std::nullopt;
  std::string currency{};  // "": the usual one
};

// The JSON body of the operation's response, generated with `seed`; null if none can be.
nlohmann::json generated_body(const RecordMaker& maker, const spec::contract::Operation& operation,
                              int status, std::uint64_t seed);

// Null if none can be made.
nlohmann::json generated_record(const RecordMaker& maker, const RecordSource& source,
                                std::uint64_t seed);

struct KeySeed {
  std::uint64_t number = 0;  // of the record in its collection, from 1
  std::uint64_t seed = 0;
};

// A key for the collection's record of that number: the number where keys are numbers, else a text
// of the form that schema and examples show, made with the seed. `record` is the one that
// generated_record() makes with it, where the caller has that.
std::string make_key(const RecordMaker& maker, const Collection& collection,
                     const RecordSource& source, const KeySeed& of,
                     const nlohmann::json* record = nullptr);

// Puts the key where a record of the collection has it, as a number where the schema, or what the
// record has there, says so.
void set_key(const spec::contract::Contract& contract, const Collection& collection,
             const RecordSource& source, const std::string& own_key, nlohmann::json& record);

}  // namespace mock_server::api
