// Request plans as data: for the plan's hash, --list and reports, and from rules and case files.

#include "contract_tests/plan/request_plan.hpp"
#include "spec/text/encoding.hpp"
#include "spec/text/utf8.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

namespace contract_tests::plan {

using nlohmann::json;

namespace {

json pairs_to_json(const Pairs& pairs) {
  auto list = json::array();
  for (const auto& [name, value] : pairs) {
    list.push_back({name, value});
  }
  return list;
}

// {name: value} or, where names repeat, [[name, value], ...].
Pairs pairs_from(const json& data) {
  Pairs pairs;
  if (data.is_object()) {
    for (const auto& [name, value] : data.items()) {
      pairs.emplace_back(name, value.is_string() ? value.get<std::string>() : value.dump());
    }
    return pairs;
  }
  for (const auto& pair : data) {
    pairs.emplace_back(pair.at(0).get<std::string>(), pair.at(1).get<std::string>());
  }
  return pairs;
}

void take(const json& data, const char* key, std::optional<std::string>& into) {
  if (data.contains(key)) {
    into = data.at(key).get<std::string>();
  }
}

void take(const json& data, const char* key, std::string& into) {
  if (data.contains(key)) {
    into = data.at(key).get<std::string>();
  }
}

void take(const json& data, const char* key, bool& into) {
  if (data.contains(key)) {
    into = data.at(key).get<bool>();
  }
}

// Adds `over`'s pairs, each instead of every one of `base` with its name.
Pairs merged(Pairs base, const Pairs& over) {
  for (const auto& pair : over) {
    erase_pairs(base, pair.first);
  }
  base.insert(base.end(), over.begin(), over.end());
  return base;
}

}  // namespace

json to_json(const RequestPlan& plan) {
  auto data = json::object();
  const auto put = [&data](const char* key, bool given, json value) {
    if (given) {
      data[key] = std::move(value);
    }
  };
  put("method", !plan.method.empty(), plan.method);
  put("path", !plan.path.empty(), plan.path);
  put("encoded_path", !plan.encoded_path.empty(), pairs_to_json(plan.encoded_path));
  put("query", !plan.query.empty(), pairs_to_json(plan.query));
  put("raw_query", !plan.raw_query.empty(), plan.raw_query);
  put("headers", !plan.headers.empty(), pairs_to_json(plan.headers));
  put("authorization", plan.authorization.has_value(), plan.authorization.value_or(""));
  put("credentials", plan.credentials.has_value(),
      pairs_to_json(plan.credentials.value_or(Pairs{})));
  put("body", plan.body.has_value(), plan.body.value_or(json()));
  const auto raw_body = plan.raw_body.value_or("");
  const bool text = spec::text::valid_utf8_prefix(raw_body) == raw_body.size();
  put(text ? "raw_body" : "raw_body_base64", plan.raw_body.has_value(),
      text ? raw_body : spec::text::to_base64(raw_body));
  put("body_type", plan.body_type.has_value(), plan.body_type.value_or(""));
  put("encode_path", plan.encode_path, true);
  put("chunked", plan.chunked, true);
  put("expect_continue", plan.expect_continue, true);
  return data;
}

RequestPlan request_from(const json& data) {
  RequestPlan plan;
  take(data, "method", plan.method);
  const auto path = data.value("path", json::object());
  for (const auto& [name, value] : path.items()) {
    plan.path[name] = value.get<std::string>();
  }
  plan.encoded_path = pairs_from(data.value("encoded_path", json::object()));
  plan.query = pairs_from(data.value("query", json::object()));
  take(data, "raw_query", plan.raw_query);
  plan.headers = pairs_from(data.value("headers", json::object()));
  take(data, "authorization", plan.authorization);
  if (data.contains("credentials")) {
    plan.credentials = pairs_from(data.at("credentials"));
  }
  if (data.contains("body")) {
    plan.body = data.at("body");
  }
  take(data, "raw_body", plan.raw_body);
  if (data.contains("raw_body_base64")) {
    plan.raw_body =
        spec::text::from_base64(data.at("raw_body_base64").get_ref<const std::string&>());
  }
  take(data, "body_type", plan.body_type);
  take(data, "encode_path", plan.encode_path);
  take(data, "chunked", plan.chunked);
  take(data, "expect_continue", plan.expect_continue);
  return plan;
}

RequestPlan overlay(RequestPlan base, const RequestPlan& over) {
  base.method = over.method.empty() ? base.method : over.method;
  for (const auto& [name, value] : over.path) {
    base.path[name] = value;
    erase_pairs(base.encoded_path, name);
  }
  base.encoded_path = merged(std::move(base.encoded_path), over.encoded_path);
  base.query = merged(std::move(base.query), over.query);
  base.raw_query = over.raw_query.empty() ? base.raw_query : over.raw_query;
  base.headers = merged(std::move(base.headers), over.headers);
  base.authorization = over.authorization ? over.authorization : base.authorization;
  base.credentials = over.credentials ? over.credentials : base.credentials;
  if (over.body || over.raw_body) {
    base.body = over.body;
    base.raw_body = over.raw_body;
  }
  base.body_type = over.body_type ? over.body_type : base.body_type;
  base.encode_path = base.encode_path || over.encode_path;
  base.chunked = base.chunked || over.chunked;
  base.expect_continue = base.expect_continue || over.expect_continue;
  return base;
}

RequestPlan required_part(const spec::contract::Operation& operation, const RequestPlan& plain) {
  using spec::contract::Location;
  RequestPlan required;
  for (const auto& parameter : operation.parameters) {
    const bool is_query = parameter.location == Location::kQuery;
    if (!parameter.required || parameter.location == Location::kPath) {
      continue;
    }
    const auto name = parameter.location == Location::kCookie ? "Cookie" : parameter.name;
    erase_pairs(is_query ? required.query : required.headers, name);
    std::ranges::copy_if(is_query ? plain.query : plain.headers,
                         std::back_inserter(is_query ? required.query : required.headers),
                         [&](const auto& pair) { return pair.first == name; });
    required.raw_query = is_query ? plain.raw_query : required.raw_query;
  }
  return required;
}

RequestPlan with_query(RequestPlan base, const std::string& name, std::string value) {
  erase_pairs(base.query, name);
  base.query.emplace_back(name, std::move(value));
  return base;
}

}  // namespace contract_tests::plan
