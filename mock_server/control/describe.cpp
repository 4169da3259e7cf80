#include "mock_server/control/describe.hpp"

#include "mock_server/fixtures/instant.hpp"
#include "spec/json/read.hpp"
#include "spec/json/utf8.hpp"

#include <nlohmann/json.hpp>

#include <chrono>
#include <string>

namespace mock_server::control {
namespace {

using nlohmann::json;

json place_of(const spec::contract::Statement& statement) {
  json place{{"pointer", statement.pointer}, {"file", statement.file},
             {"line", statement.line},       {"column", statement.column},
             {"clause", statement.clause},   {"class", to_text(statement.statement_class)}};
  if (!statement.reason.empty()) {
    place["reason"] = statement.reason;
  }
  return place;
}

json headers_of(const spec::http::Headers& headers) {
  json lines = json::array();
  for (const auto& [name, value] : headers.lines()) {
    lines.push_back({name, value});
  }
  return lines;
}

std::string base64(std::string_view bytes) {
  constexpr std::string_view kAlphabet =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string text;
  for (std::size_t at = 0; at < bytes.size(); at += 3) {
    std::uint32_t group = 0;
    for (std::size_t index = 0; index < 3; ++index) {
      const auto byte = at + index < bytes.size() ? static_cast<unsigned char>(bytes[at + index])
                                                  : static_cast<unsigned char>(0);
      group = (group << 8U) | byte;
    }
    const std::size_t digits = std::min<std::size_t>(bytes.size() - at, 3) + 1;
    for (std::size_t index = 0; index < 4; ++index) {
      text += index < digits ? kAlphabet[(group >> (18U - 6U * index)) & 0x3FU] : '=';
    }
  }
  return text;
}

void add_body(json& message, const std::string& body, std::uint64_t whole) {
  if (spec::json::is_utf8(body)) {
    message["body"] = body;
  } else {
    message["body_base64"] = base64(body);
  }
  message["body_bytes"] = whole;
  message["body_is_cut"] = body.size() < whole;
}

json parsed(const std::string& text) {
  if (text.empty()) {
    return json::array();
  }
  auto value = spec::json::read(text);
  return value ? std::move(*value) : json::array();
}

json answers_of(const spec::contract::Operation& operation) {
  json answers = json::array();
  for (const auto& answer : operation.answers) {
    json types = json::array();
    json examples = json::array();
    for (const auto& content : answer.contents) {
      types.push_back(content.media_type.essence());
      for (const auto& example : content.examples) {
        examples.push_back(example.name);
      }
    }
    const std::string status = answer.status != 0  ? std::to_string(answer.status)
                               : answer.range != 0 ? std::to_string(answer.range) + "XX"
                                                   : "default";
    answers.push_back({{"status", status}, {"media_types", types}, {"examples", examples}});
  }
  return answers;
}

json played_by(const fixtures::Binding* binding) {
  if (binding == nullptr) {
    return {{"by", "the contract's examples"}};
  }
  const auto place = binding->node.place();
  json played{{"by", "fixtures"},
              {"behaviour", fixtures::to_text(binding->behaviour)},
              {"file", place.file},
              {"line", place.line}};
  if (binding->collection != nullptr) {
    played["collection"] = binding->collection->name();
    json keys = json::array();
    constexpr std::size_t kMostKeys = 20;
    for (const auto& record : binding->collection->records()) {
      if (keys.size() < kMostKeys) {
        keys.push_back(record.key);
      }
    }
    played["keys"] = keys;
    played["records"] = binding->collection->records().size();
  }
  return played;
}

}  // namespace

json describe(const spec::contract::Contract& contract,
              const std::vector<spec::contract::Violation>& violations) {
  json list = json::array();
  for (const auto& violation : violations) {
    list.push_back({{"operation", violation.operation},
                    {"part", to_text(violation.part)},
                    {"instance", violation.instance},
                    {"rule", violation.rule},
                    {"message", violation.message},
                    {"line", to_line(contract, violation)},
                    {"statement", place_of(contract.statement(violation.statement))}});
  }
  return list;
}

json describe_refusal(std::string_view reason) {
  const auto part = to_text(spec::contract::Part::kFraming);
  return json::array({{{"operation", ""},
                       {"part", part},
                       {"instance", ""},
                       {"rule", ""},
                       {"message", reason},
                       {"line", std::string(part) + ": " + std::string(reason)},
                       {"statement", nullptr}}});
}

json summarise(const state::Entry& entry) {
  return {{"id", entry.id},
          {"time", fixtures::to_text(entry.time)},
          {"method", entry.request.method},
          {"target", entry.request.target},
          {"operation", entry.operation.empty() ? json(nullptr) : json(entry.operation)},
          {"status", entry.response.status},
          {"chosen_by", entry.chosen_by},
          {"violations", parsed(entry.violations).size()},
          {"broken", parsed(entry.broken).size()}};
}

json explain(const state::Entry& entry, std::string_view session) {
  json request{{"method", entry.request.method},
               {"target", entry.request.target},
               {"headers", headers_of(entry.request.headers)}};
  add_body(request, entry.request.body, entry.request_body_bytes);
  json response{{"status", entry.response.status}, {"headers", headers_of(entry.response.headers)}};
  add_body(response, entry.response.body, entry.response_body_bytes);
  json whole = summarise(entry);
  whole["session"] = session;
  whole["peer"] = entry.peer;
  whole["took_us"] = std::chrono::duration_cast<std::chrono::microseconds>(entry.took).count();
  whole["request"] = std::move(request);
  whole["response"] = std::move(response);
  whole["violations"] = parsed(entry.violations);
  whole["broken"] = parsed(entry.broken);
  return whole;
}

json list_operations(const fixtures::World& world) {
  json list = json::array();
  for (const auto& operation : world.contract.operations()) {
    const auto place = operation.node.place();
    list.push_back({{"id", operation.id},
                    {"method", operation.method},
                    {"path", operation.path},
                    {"summary", operation.summary},
                    {"file", place.file},
                    {"line", place.line},
                    {"needs_credentials", !operation.security.empty()},
                    {"answers", answers_of(operation)},
                    {"played", played_by(world.fixtures.binding(operation))}});
  }
  return list;
}

json list_assumptions(const spec::contract::Contract& contract) {
  json list = json::array();
  for (const auto& statement : contract.assumptions()) {
    list.push_back(place_of(statement));
  }
  return list;
}

}  // namespace mock_server::control
