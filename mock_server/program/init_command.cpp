#include "mock_server/program/init_command.hpp"

#include "mock_server/api/loading/fixture_readers.hpp"
#include "mock_server/api/loading/load_api.hpp"
#include "mock_server/control/index.hpp"
#include "spec/contract/checking/validate_message.hpp"
#include "spec/contract/write/example_body.hpp"
#include "spec/contract/write/write_parameter.hpp"
#include "spec/document/text_file.hpp"
#include "spec/http/message.hpp"
#include "spec/load_error.hpp"
#include "spec/text/ascii.hpp"
#include "spec/text/quote.hpp"

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <filesystem>
#include <iostream>
#include <limits>
#include <system_error>
#include <utility>

namespace mock_server::program {
namespace {

namespace fs = std::filesystem;
namespace write = spec::contract::write;
using api::loading::yaml_members;
using spec::contract::Location;
using spec::contract::Operation;
using spec::contract::SecurityKind;

constexpr const char* kHowOperationsLook =
    "# What is here replaces what the mock infers by itself; --check validates the whole folder.\n"
    "# `collections` are records by key: `id` is the member that repeats the key; with\n"
    "# `until_changed: examples` the contract's examples are sent while there are no records.\n"
    "# `operations` bind an operationId to a behaviour (create, read, update, replace, delete, "
    "list,\n"
    "# act, match, file, stream), its collection, and the place of the key in the request.\n";

constexpr const char* kNothingInferred =
    "# The contract does not show which operations are about the same records. An example:\n"
    "# collections:\n"
    "#   orders: {id: /id}\n"
    "# operations:\n"
    "#   getOrder: {behaviour: read, collection: orders, key: /path/orderId}\n"
    "operations: {}\n";

constexpr const char* kScenario = "first_call_fails";

constexpr const char* kHowScenariosLook =
    "# Rules change the responses to valid calls while a session has the scenario armed: by "
    "--scenario,\n"
    "# or by POST to /_mock/scenarios/first_call_fails/arm. Instead of `force` a rule may have "
    "`delay:\n"
    "# {fixed_ms: 500}` or `fault: reset`; instead of `times`, `every: 3` or `probability: 0.1`.\n";

struct FirstFile {
  fs::path path;
  std::string text;
};

// A collection whose file is called like it.
bool has_file(const api::Collection& collection) {
  return collection.name() != "operations" && collection.name() != "subjects" &&
         std::ranges::all_of(collection.name(), [](char c) {
           return spec::text::is_letter_or_digit(c) || c == '_' || c == '-';
         });
}

// The call that the printed commands make.
struct FirstCall {
  const api::Binding* binding = nullptr;  // whose record it reads; null: none is written
  const Operation* operation = nullptr;   // null: the contract has none that is called so easily
  spec::http::Request request{"GET", "/_mock/", {}, ""};
};

bool reads_own_record(const api::Binding& binding) {
  return binding.behaviour == api::Behaviour::kRead && binding.within.empty() &&
         binding.operation->method == "GET" && has_file(*binding.collection) &&
         !std::as_const(*binding.collection).records().empty();
}

// With the required header fields and any credentials of the first security requirement.
spec::http::Request request_of(const spec::contract::Contract& contract, const Operation& operation,
                               std::string url) {
  spec::http::Headers headers;
  const spec::schema::generate::Generator generator(contract.schemas());
  for (const auto& parameter : operation.parameters) {
    if (parameter.required && parameter.location == Location::kHeader) {
      const auto value = write::generate_value(generator, parameter, {.name = parameter.name});
      const auto text = value ? write::write_header(parameter, *value) : std::nullopt;
      headers.set(parameter.name, text.value_or("1"));
    }
  }
  static const spec::contract::SecurityRequirement kNone;
  for (const auto& scheme : (operation.is_secured() ? operation.security.front() : kNone).schemes) {
    if (scheme.kind == SecurityKind::kBasic) {
      headers.set("Authorization", "Basic dXNlcjpwYXNzd29yZA==");
    } else if (scheme.kind != SecurityKind::kApiKey) {
      headers.set("Authorization", "Bearer token");
    } else if (scheme.location == Location::kQuery) {
      url += (url.find('?') == std::string::npos ? '?' : '&') + scheme.parameter + "=token";
    } else if (scheme.location == Location::kCookie) {
      headers.set("Cookie", scheme.parameter + "=token");
    } else {
      headers.set(scheme.parameter, "token");
    }
  }
  return {"GET", std::move(url), std::move(headers), ""};
}

bool is_valid(const spec::contract::Contract& contract, const FirstCall& call) {
  const auto match = contract.route("GET", spec::http::path_of(call.request.target));
  return match.operation == call.operation &&
         validate_request(contract, *call.operation, call.request, match.path_values)
             .violations.empty();
}

// The first valid call that reads a record, else the first without a body.
FirstCall first_call(const api::LoadedApi& api) {
  constexpr std::size_t kTried = 8;
  std::vector<FirstCall> calls;
  for (const api::Binding& binding : api.fixtures.bindings()) {
    if (calls.size() < kTried && reads_own_record(binding)) {
      calls.push_back({&binding, binding.operation});
    }
  }
  for (const Operation& operation : api.contract.operations()) {
    if (operation.method == "GET") {
      calls.push_back({nullptr, &operation});
    }
  }
  state::Store store;
  const auto index = control::make_index({api, *store.session(""), COUNTERPART_VERSION},
                                         std::numeric_limits<std::size_t>::max());
  for (FirstCall& call : calls) {
    call.request =
        request_of(api.contract, *call.operation, index.operations.at(call.operation->index).url);
    if (is_valid(api.contract, call)) {
      return call;
    }
  }
  return {};
}

std::vector<FirstFile> first_files(const api::LoadedApi& api, const fs::path& folder,
                                   const FirstCall& call) {
  const std::string title = spec::text::without_controls(api.contract.title());
  const std::string& inferred = api.fixtures.inferred_operations();
  std::vector<FirstFile> files{
      {folder / "operations.yaml", "# How the mock plays " + title + ".\n" + kHowOperationsLook +
                                       (inferred.empty() ? kNothingInferred : inferred)}};
  if (call.binding != nullptr) {
    const auto& name = call.binding->collection->name();
    const api::Record& record = std::as_const(*call.binding->collection).records().front();
    files.push_back({folder / (name + ".yaml"), "# The records of \"" + name +
                                                    "\" by key. Add more beside this one.\n" +
                                                    yaml_members({{record.key, record.value}})});
  }
  nlohmann::ordered_json rule;
  if (call.operation != nullptr) {
    rule["operations"] = {call.operation->id};
  }
  rule.update({{"times", 1}, {"force", {{"status", 503}, {"message", "try again"}}}});
  files.push_back(
      {folder / "scenarios" / (std::string(kScenario) + ".yaml"),
       kHowScenariosLook +
           yaml_members({{"description", "The first call gets 503, later ones succeed."},
                         {"rules", {rule}}})});
  return files;
}

void write_files(const std::vector<FirstFile>& files) {
  std::vector<spec::Problem> problems;
  for (const auto& [path, text] : files) {
    std::error_code error;
    if (fs::exists(path, error)) {
      problems.push_back(
          {path.string(), 0, 0, "", "is there already; name another folder with --into FOLDER"});
    }
  }
  for (auto file = files.begin(); problems.empty() && file != files.end(); ++file) {
    std::error_code ignored;
    fs::create_directories(file->path.parent_path(), ignored);
    if (const auto why = spec::document::replace_file(file->path, file->text); !why.empty()) {
      problems.push_back({file->path.string(), 0, 0, "", "cannot be written: " + why});
    }
  }
  if (!problems.empty()) {
    throw spec::LoadError(std::move(problems));
  }
}

std::string in_shell(const std::string& word) {
  if (std::ranges::all_of(word, [](char c) {
        return spec::text::is_letter_or_digit(c) ||
               std::string_view("/._-:=,@%").find(c) != std::string_view::npos;
      })) {
    return word;
  }
  std::string quoted = "'";
  for (const char c : word) {
    quoted += c == '\'' ? "'\\''" : std::string(1, c);
  }
  return quoted + '\'';
}

std::string curl_line(const spec::http::Request& request, const std::string& address) {
  std::string line = "curl -i ";
  for (const auto& [name, value] : request.headers.lines()) {
    line += "-H " + in_shell(name + ": " + value) + ' ';
  }
  return line + in_shell(address + request.target);
}

}  // namespace

CLI::App* register_init(CLI::App& app, InitCommand& init) {
  CLI::App* const sub = app.add_subcommand(
      "init", "Write first fixtures for a contract, with comments, and print commands to try");
  sub->fallthrough();
  sub->group("Subcommands");
  sub->option_defaults()->configurable(false);
  sub->add_option("--into", init.into, "Folder for the fixtures")
      ->capture_default_str()
      ->type_name("FOLDER");
  return sub;
}

void write_first_fixtures(const Options& options) {
  const InitCommand& init = *options.init;
  auto wanted = options.api;
  wanted.folders.clear();
  wanted.infers = true;
  wanted.seed_records = 1;
  const auto seeded = api::load_api(wanted);
  const FirstCall call = first_call(*seeded);
  const auto files = first_files(*seeded, init.into, call);
  write_files(files);
  wanted.folders = {init.into};
  wanted.seed_records = 0;
  static_cast<void>(api::load_api(wanted));
  for (const auto& file : files) {
    std::cout << "wrote " << file.path.string() << '\n';
  }
  const auto address = "http://127.0.0.1:" + std::to_string(options.listener.port);
  std::cout << "Try, the last two in another terminal; then the second again:\n  " << init.program
            << ' ' << in_shell(options.api.contract.string()) << " --fixtures "
            << in_shell(init.into) << (options.api.tolerate ? " --tolerate" : "") << "\n  "
            << curl_line(call.request, address) << "\n  curl -X POST " << address
            << "/_mock/scenarios/" << kScenario << "/arm\n";
}

}  // namespace mock_server::program
