// Conditions on requests, and steps that change them on their way.

#include "contract_tests/tests/faulty_server/transform.hpp"
#include "spec/http/coding.hpp"
#include "spec/json/read.hpp"
#include "spec/json/value.hpp"
#include "spec/text/encoding.hpp"

#include <algorithm>
#include <array>
#include <functional>
#include <map>
#include <vector>

namespace contract_tests::faulty_server {

using nlohmann::json;
using spec::http::Request;

namespace {

using Pairs = std::vector<std::pair<std::string, std::string>>;

Pairs query_pairs(const Request& request) {
  Pairs pairs;
  auto rest = spec::http::query_of(request.target);
  while (!rest.empty()) {
    const auto end = std::min(rest.find('&'), rest.size());
    const auto part = rest.substr(0, end);
    const auto equals = std::min(part.find('='), part.size());
    pairs.emplace_back(part.substr(0, equals),
                       equals < part.size() ? part.substr(equals + 1) : std::string_view{});
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  return pairs;
}

void set_query_pairs(Request& request, const Pairs& pairs) {
  std::string target(spec::http::path_of(request.target));
  char joint = '?';
  for (const auto& [name, value] : pairs) {
    target += joint + name + '=' + value;
    joint = '&';
  }
  request.target = std::move(target);
}

bool has_query(const Request& request, const std::string& name) {
  return std::ranges::any_of(query_pairs(request),
                             [&name](const auto& pair) { return pair.first == name; });
}

bool matches(const std::string& text, const json& pattern) {
  return std::regex_search(text, regex_of(pattern));
}

std::string respelt(const std::string& text, const json& how) {
  return std::regex_replace(text, regex_of(how.at(0)), how.at(1).get<std::string>());
}

// Query parameters by name, each spelt another way: [pattern, replacement].
void respell_query(const json& how, Pairs& pairs) {
  for (auto& [name, value] : pairs) {
    if (how.contains(name)) {
      const auto text = spec::text::percent_decode(value).value_or("");
      value = spec::text::percent_encode(respelt(text, how.at(name)));
    }
  }
}

// The same for members of the body that are texts.
void respell_members(const json& how, json& body) {
  for (const auto& [name, spelling] : how.items()) {
    if (body.contains(name) && body.at(name).is_string()) {
      body[name] = respelt(body.at(name).get<std::string>(), spelling);
    }
  }
}

// True when `test` holds for each value that `when` names under `key`.
bool all_of(const json& when, const char* key,
            const std::function<bool(const std::string& name, const json& value)>& test) {
  const auto wanted = when.value(key, json::object());
  return std::ranges::all_of(wanted.items(),
                             [&test](const auto& item) { return test(item.key(), item.value()); });
}

bool all_named(const json& when, const char* key,
               const std::function<bool(const std::string& name)>& test) {
  const auto names = when.value(key, json::array());
  return std::ranges::all_of(names, [&test](const json& name) { return test(name); });
}

bool fits_headers(const json& when, const Request& request) {
  const auto value_of = [&request](const std::string& name) {
    return std::string(request.headers.find(name).value_or(""));
  };
  const auto has = [&request](const std::string& name) { return request.headers.has(name); };
  return all_named(when, "header_has", has) &&
         all_named(when, "header_absent", [&has](const auto& name) { return !has(name); }) &&
         all_of(when, "header_starts",
                [&](const auto& name, const json& start) {
                  return value_of(name).starts_with(start.get<std::string>());
                }) &&
         all_of(when, "header_is",
                [&](const auto& name, const json& value) { return value_of(name) == value; }) &&
         all_of(when, "header_like", [&](const auto& name, const json& pattern) {
           return matches(value_of(name), pattern);
         });
}

bool fits_query(const json& when, const Request& request) {
  const auto has = [&request](const std::string& name) { return has_query(request, name); };
  return all_named(when, "query_has", has) &&
         all_named(when, "query_absent", [&has](const auto& name) { return !has(name); }) &&
         all_of(when, "query_is",
                [&](const auto& name, const json& value) {
                  return query_value(request, name) == value;
                }) &&
         all_of(when, "query_not",
                [&](const auto& name, const json& values) {
                  return std::ranges::find(values, json(query_value(request, name))) ==
                         values.end();
                }) &&
         all_of(when, "query_like", [&](const auto& name, const json& pattern) {
           return matches(query_value(request, name), pattern);
         });
}

bool fits_method_path_and_body(const json& when, const Request& request) {
  const auto has = [&when](const std::string& text, const char* key) {
    return text.find(when.value(key, "")) != std::string::npos;
  };
  const auto like = [&when](const std::string& text, const char* key) {
    return !when.contains(key) || matches(text, when.at(key));
  };
  return when.value("method", request.method) == request.method &&
         when.value("not_method", "") != request.method && has(request.target, "path_has") &&
         like(std::string(spec::http::path_of(request.target)), "path_like") &&
         when.value("body_is", request.body) == request.body && has(request.body, "body_has") &&
         like(request.body, "body_like");
}

bool fits_count(const json& when, std::size_t count) {
  const auto stretch = when.value("stretch", std::size_t{0});
  return (stretch == 0 || count / stretch % 2 == 1) && count <= when.value("until", count) &&
         count % when.value("every", std::size_t{1}) == 0 &&
         count >= when.value("from", std::size_t{0});
}

void change_query(const json& step, Request& request) {
  auto pairs = query_pairs(request);
  const auto drop = step.value("drop_query", json::array());
  std::erase_if(pairs, [&drop](const auto& pair) {
    return std::ranges::find(drop, json(pair.first)) != drop.end();
  });
  const auto set = step.value("set_query", json::object());
  for (const auto& [name, value] : set.items()) {
    std::erase_if(pairs, [&name = name](const auto& pair) { return pair.first == name; });
    pairs.emplace_back(name, spec::text::percent_encode(value.get<std::string>()));
  }
  respell_query(step.value("respell_query", json::object()), pairs);
  set_query_pairs(request, pairs);
}

void change_headers(const json& step, Request& request) {
  const auto headers = step.value("set_header", json::object());
  for (const auto& [name, value] : headers.items()) {
    request.headers.set(name, value.get<std::string>());
  }
  for (const auto& name : step.value("drop_request_header", json::array())) {
    request.headers.remove(name.get<std::string>());
  }
}

void change_members(const json& step, json& body) {
  for (const auto& name : step.value("drop_members", json::array())) {
    body.erase(name.get<std::string>());
  }
  respell_members(step.value("respell_members", json::object()), body);
  const auto moved = step.value("move_members", json::object());
  for (const auto& [from, to] : moved.items()) {
    if (body.contains(from)) {
      body[to.get<std::string>()] = body[from];
      body.erase(from);
    }
  }
}

}  // namespace

const std::regex& regex_of(const json& pattern) {
  thread_local std::map<std::string, std::regex> made;
  const auto& text = pattern.get_ref<const std::string&>();
  return made.try_emplace(text, text).first->second;
}

std::string query_value(const Request& request, const std::string& name) {
  for (const auto& [key, value] : query_pairs(request)) {
    if (key == name) {
      return spec::text::percent_decode(value).value_or("");
    }
  }
  return {};
}

bool applies(const json& when, const Request& request, std::size_t count) {
  return fits_count(when, count) && fits_method_path_and_body(when, request) &&
         fits_query(when, request) && fits_headers(when, request);
}

bool fits_response(const json& when, const spec::http::Response& original) {
  const auto wanted = when.value("status", json::array());
  const bool fits =
      wanted.empty() || std::ranges::find(wanted, json(original.status)) != wanted.end();
  return fits && original.body.find(when.value("response_has", "")) != std::string::npos;
}

bool is_steady(const Behaviour& behaviour) {
  constexpr std::array<const char*, 9> kUnsteady{"every",    "from",     "until",
                                                 "stretch",  "repeated", "in_flight",
                                                 "after_ms", "known_ms", "raised"};
  return std::ranges::none_of(kUnsteady,
                              [&](const char* word) { return behaviour.when.contains(word); }) &&
         std::ranges::none_of(behaviour.response,
                              [](const json& step) { return step.contains("previous"); });
}

void change_request(const json& steps, Request& request) {
  for (const auto& step : steps) {
    change_query(step, request);
    change_headers(step, request);
    request.method = step.value("set_method", request.method);
    if (step.contains("set_body")) {
      request.body = spec::json::write(step.at("set_body"));
    }
    if (step.contains("replace_in_target")) {
      replace_text(request.target, step.at("replace_in_target").at(0),
                   step.at("replace_in_target").at(1));
    }
    auto body = spec::json::read(request.body);
    if (body && body->is_object()) {
      change_members(step, body.value());
      request.body = spec::json::write(body.value());
    }
  }
}

}  // namespace contract_tests::faulty_server
