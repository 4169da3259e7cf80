// What concerns requests: conditions on them, and steps that change them on their way.

#include "contract_tests/tests/liar/transform.hpp"
#include "spec/http/coding.hpp"
#include "spec/json/read.hpp"
#include "spec/json/value.hpp"

#include <algorithm>
#include <functional>
#include <regex>
#include <vector>

namespace contract_tests::liar {

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
  return std::regex_search(text, std::regex(pattern.get<std::string>()));
}

std::string respelt(const std::string& text, const json& how) {
  return std::regex_replace(text, std::regex(how.at(0).get<std::string>()),
                            how.at(1).get<std::string>());
}

// Query parameters by name, each spelt another way: [pattern, replacement].
void respell_query(const json& how, Pairs& pairs) {
  for (auto& [name, value] : pairs) {
    if (how.contains(name)) {
      const auto text = spec::http::percent_decode(value).value_or("");
      value = spec::http::percent_encode(respelt(text, how.at(name)));
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

bool fits_headers(const json& when, const Request& request) {
  const auto starts = when.value("header_starts", json::object());
  for (const auto& [name, start] : starts.items()) {
    if (!request.headers.find(name).value_or("").starts_with(start.get<std::string>())) {
      return false;
    }
  }
  const auto is = when.value("header_is", json::object());
  for (const auto& [name, value] : is.items()) {
    if (request.headers.find(name).value_or("") != value.get<std::string>()) {
      return false;
    }
  }
  const auto like = when.value("header_like", json::object());
  for (const auto& [name, pattern] : like.items()) {
    if (!matches(std::string(request.headers.find(name).value_or("")), pattern)) {
      return false;
    }
  }
  return true;
}

}  // namespace

std::string query_value(const Request& request, const std::string& name) {
  for (const auto& [key, value] : query_pairs(request)) {
    if (key == name) {
      return spec::http::percent_decode(value).value_or("");
    }
  }
  return {};
}

bool applies(const json& when, const Request& request, std::size_t count) {
  const auto all = [&when](const char* key, const std::function<bool(const std::string&)>& test) {
    const auto names = when.value(key, json::array());
    return std::ranges::all_of(names, [&test](const json& name) { return test(name); });
  };
  const auto is = when.value("query_is", json::object());
  for (const auto& [name, value] : is.items()) {
    if (query_value(request, name) != value) {
      return false;
    }
  }
  const auto is_not = when.value("query_not", json::object());
  for (const auto& [name, values] : is_not.items()) {
    if (std::ranges::find(values, json(query_value(request, name))) != values.end()) {
      return false;
    }
  }
  const auto like = when.value("query_like", json::object());
  for (const auto& [name, pattern] : like.items()) {
    if (!matches(query_value(request, name), pattern)) {
      return false;
    }
  }
  const auto every = when.value("every", std::size_t{1});
  const auto stretch = when.value("stretch", std::size_t{0});
  return (stretch == 0 || count / stretch % 2 == 1) &&
         when.value("method", request.method) == request.method &&
         when.value("not_method", "") != request.method &&
         when.value("body_is", request.body) == request.body &&
         count <= when.value("until", count) &&
         request.target.find(when.value("path_has", "")) != std::string::npos &&
         (!when.contains("body_like") || matches(request.body, when.at("body_like"))) &&
         (!when.contains("path_like") ||
          matches(std::string(spec::http::path_of(request.target)), when.at("path_like"))) &&
         request.body.find(when.value("body_has", "")) != std::string::npos && count % every == 0 &&
         count >= when.value("from", std::size_t{0}) &&
         all("query_has", [&](const std::string& n) { return has_query(request, n); }) &&
         all("query_absent", [&](const std::string& n) { return !has_query(request, n); }) &&
         all("header_has", [&](const std::string& n) { return request.headers.has(n); }) &&
         fits_headers(when, request) &&
         all("header_absent", [&](const std::string& n) { return !request.headers.has(n); });
}

bool fits_answer(const json& when, int status, const std::string& body) {
  const auto wanted = when.value("status", json::array());
  const bool fits = wanted.empty() || std::ranges::find(wanted, json(status)) != wanted.end();
  return fits && body.find(when.value("answer_has", "")) != std::string::npos;
}

void change_request(const json& steps, Request& request) {
  for (const auto& step : steps) {
    auto pairs = query_pairs(request);
    const auto drop = step.value("drop_query", json::array());
    std::erase_if(pairs, [&drop](const auto& pair) {
      return std::ranges::find(drop, json(pair.first)) != drop.end();
    });
    const auto set = step.value("set_query", json::object());
    for (const auto& [name, value] : set.items()) {
      std::erase_if(pairs, [&name = name](const auto& pair) { return pair.first == name; });
      pairs.emplace_back(name, spec::http::percent_encode(value.get<std::string>()));
    }
    respell_query(step.value("respell_query", json::object()), pairs);
    set_query_pairs(request, pairs);
    const auto headers = step.value("set_header", json::object());
    for (const auto& [name, value] : headers.items()) {
      request.headers.set(name, value.get<std::string>());
    }
    for (const auto& name : step.value("drop_request_header", json::array())) {
      request.headers.remove(name.get<std::string>());
    }
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
      if (step.contains("only_members")) {
        json only = json::object();
        for (const auto& name : step.at("only_members")) {
          if (body->contains(name.get<std::string>())) {
            only[name.get<std::string>()] = (*body)[name.get<std::string>()];
          }
        }
        *body = std::move(only);
      }
      for (const auto& name : step.value("drop_members", json::array())) {
        body->erase(name.get<std::string>());
      }
      respell_members(step.value("respell_members", json::object()), *body);
      const auto moved = step.value("move_members", json::object());
      for (const auto& [from, to] : moved.items()) {
        if (body->contains(from)) {
          (*body)[to.get<std::string>()] = (*body)[from];
          body->erase(from);
        }
      }
      request.body = spec::json::write(body.value());
    }
  }
}

}  // namespace contract_tests::liar
