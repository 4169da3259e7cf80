// The cost of validating whole messages, and of reading their JSON alone; of loading and routing
// cost as a description grows.

#include "spec/bench/texts.hpp"
#include "spec/contract/checking/validate_message.hpp"
#include "spec/contract/contract.hpp"
#include "spec/contract/loading/load_contract.hpp"
#include "spec/json/read.hpp"

#include <benchmark/benchmark.h>

namespace {

using spec::bench::json_description;
using spec::bench::usage_page;
using spec::bench::yaml_description;
using spec::contract::Contract;
using spec::contract::Match;
using spec::contract::Operation;

const Contract& payments() {
  static const Contract contract = spec::contract::load_contract(COUNTERPART_CONTRACT);
  return contract;
}

void validate_request(benchmark::State& state, const spec::http::Request& request) {
  const Match match = payments().route(request.method, spec::http::path_of(request.target));
  for (auto _ : state) {
    benchmark::DoNotOptimize(
        spec::contract::validate_request(payments(), *match.operation, request, match.path_values));
  }
}

void validate_response(benchmark::State& state, const char* operation, std::string body) {
  const spec::http::Response response{.status = 200,
                                      .reason = "",
                                      .headers = {{"Content-Type", "application/json"}},
                                      .body = std::move(body)};
  const Operation& found = *payments().operation(operation);
  for (auto _ : state) {
    benchmark::DoNotOptimize(spec::contract::validate_response(payments(), found, response));
  }
}

const char* const kCustomer =
    R"({"business_id":"bus_1","created_at":"2024-11-26T09:14:07.318204Z","customer_id":"cus_1",)"
    R"("email":"a@example.test","name":"Amara Okafor","metadata":{"plan":"fleet"},)"
    R"("phone_number":"+442079460123"})";

void route(benchmark::State& state) {
  for (auto _ : state) {
    benchmark::DoNotOptimize(payments().route("GET", "/subscriptions/sub_1/usage-history"));
  }
}

void request_of_a_customer(benchmark::State& state) {
  validate_request(state, {"GET", "/customers/cus_1", {{"Authorization", "Bearer x"}}, ""});
}

void request_of_usage(benchmark::State& state) {
  validate_request(state, {"GET",
                           "/subscriptions/sub_1/usage-history?page_size=100&page_number=2&"
                           "start_date=2025-01-01T00%3A00%3A00Z&meter_id=mtr_1",
                           {{"Authorization", "Bearer x"}},
                           ""});
}

void request_of_a_patch(benchmark::State& state) {
  validate_request(state, {"PATCH",
                           "/brands/brnd_1",
                           {{"Content-Type", "application/json"}},
                           R"({"name":"Marigold Atlas","statement_descriptor":"MARIGOLD ATLAS"})"});
}

void read_customer_json(benchmark::State& state) {
  for (auto _ : state) {
    benchmark::DoNotOptimize(spec::json::read(kCustomer));
  }
}

void response_of_a_customer(benchmark::State& state) {
  validate_response(state, "get_customer_handler", kCustomer);
}

void read_usage_json(benchmark::State& state) {
  const std::string page = usage_page();
  for (auto _ : state) {
    benchmark::DoNotOptimize(spec::json::read(page));
  }
}

void response_of_usage(benchmark::State& state) {
  validate_response(state, "list_usage_history_handler", usage_page());
}

void load_payments(benchmark::State& state) {
  for (auto _ : state) {
    benchmark::DoNotOptimize(spec::contract::load_contract(COUNTERPART_CONTRACT));
  }
}

void load_description(benchmark::State& state) {
  const std::string text = yaml_description(static_cast<std::size_t>(state.range(0)));
  for (auto _ : state) {
    benchmark::DoNotOptimize(spec::contract::load_contract_text(text));
  }
  state.counters["bytes"] = static_cast<double>(text.size());
}

// A description in JSON, everything in it compiled.
void load_json_description(benchmark::State& state) {
  const std::string text = json_description(static_cast<std::size_t>(state.range(0)));
  for (auto _ : state) {
    benchmark::DoNotOptimize(spec::contract::load_contract_text(text));
  }
  state.counters["bytes"] = static_cast<double>(text.size());
}

// The same look-up in ever longer descriptions.
void route_in_description(benchmark::State& state) {
  const Contract contract = spec::contract::load_contract_text(
      yaml_description(static_cast<std::size_t>(state.range(0))));
  const Operation& last = contract.operations().back();
  for (auto _ : state) {
    benchmark::DoNotOptimize(contract.route(last.method, last.path));
  }
}

BENCHMARK(route);
BENCHMARK(request_of_a_customer);
BENCHMARK(request_of_usage);
BENCHMARK(request_of_a_patch);
BENCHMARK(read_customer_json);
BENCHMARK(response_of_a_customer);
BENCHMARK(read_usage_json);
BENCHMARK(response_of_usage);
BENCHMARK(load_payments)->Unit(benchmark::kMillisecond);
BENCHMARK(load_description)
    ->Arg(90)
    ->Arg(100)
    ->Arg(1000)
    ->Arg(10000)
    ->Unit(benchmark::kMillisecond);
BENCHMARK(load_json_description)->Arg(900)->Unit(benchmark::kMillisecond);
BENCHMARK(route_in_description)->Arg(100)->Arg(10000);

}  // namespace
