#include "contract_tests/plan/request_plan.hpp"

#include "contract_tests/plan/subjects.hpp"
#include "spec/contract/write/write_parameter.hpp"
#include "spec/json/number.hpp"
#include "spec/json/read.hpp"
#include "spec/json/value.hpp"
#include "spec/text/ascii.hpp"
#include "spec/text/encoding.hpp"

#include <algorithm>

namespace contract_tests::plan {

using nlohmann::json;
using spec::Unexpected;

namespace {

std::string encode_all(std::string_view text) {
  std::string encoded;
  for (const char byte : text) {
    encoded += '%' + spec::text::to_upper(spec::text::to_hex({&byte, 1}));
  }
  return encoded;
}

// Calls `visit(literal, name)` for each stretch of text and the ${name} after it; the last name is
// empty. Stops when `visit` returns false.
template <typename Visit>
void each_part(std::string_view text, const Visit& visit) {
  while (true) {
    const auto open = text.find("${");
    const auto close = open == std::string_view::npos ? open : text.find('}', open);
    if (close == std::string_view::npos) {
      visit(text, std::string_view{});
      return;
    }
    if (!visit(text.substr(0, open), text.substr(open + 2, close - open - 2))) {
      return;
    }
    text.remove_prefix(close + 1);
  }
}

// Path, query, headers and body of a plan, with names filled in one after another; remembers the
// first name that is missing.
class Filler {
 public:
  explicit Filler(const Names& names) : names_(names) {}

  std::string text(std::string_view from) {
    auto filled = fill(from, names_);
    if (!filled) {
      missing_ = missing_.empty() ? filled.error() : missing_;
      return {};
    }
    return filled.value();
  }

  const std::string& missing() const { return missing_; }

 private:
  const Names& names_;
  std::string missing_;
};

std::string path_value(const RequestPlan& plan, const std::string& name, Filler& filler) {
  if (const auto* encoded = find_pair(plan.encoded_path, name)) {
    return *encoded;
  }
  const auto given = plan.path.find(name);
  const auto value = given == plan.path.end() ? name : filler.text(given->second);
  return plan.encode_path ? encode_all(value) : spec::text::percent_encode(value);
}

void add_query(spec::http::Request& request, std::string_view text) {
  request.target += request.target.find('?') == std::string::npos ? '?' : '&';
  request.target += text;
}

void add_query(const RequestPlan& plan, Filler& filler, spec::http::Request& request) {
  if (!plan.raw_query.empty()) {
    add_query(request, filler.text(plan.raw_query));
  }
  for (const auto& [name, value] : plan.query) {
    add_query(request, spec::text::percent_encode(name) + '=' +
                           spec::text::percent_encode(filler.text(value)));
  }
}

// One more pair in the request's only Cookie field. Source: RFC 6265 §5.4.
void add_cookie(spec::http::Request& request, const std::string& pair) {
  const auto cookies = request.headers.find("Cookie");
  request.headers.set("Cookie", cookies ? std::string(*cookies) + "; " + pair : pair);
}

// Source: OpenAPI 3.1.0 §4.8.27.
void add_credential(const spec::contract::SecurityScheme& scheme, const std::string& credential,
                    spec::http::Request& request) {
  using spec::contract::Location;
  using spec::contract::SecurityKind;
  const auto encoded = spec::text::percent_encode(credential);
  if (scheme.kind == SecurityKind::kBearer) {
    request.headers.set("Authorization", "Bearer " + credential);
  } else if (scheme.kind == SecurityKind::kBasic) {
    request.headers.set("Authorization", "Basic " + basic_credentials(credential));
  } else if (scheme.kind == SecurityKind::kOther) {
    if (!scheme.http_scheme.empty()) {
      request.headers.set("Authorization", scheme.http_scheme + ' ' + credential);
    }
  } else if (scheme.location == Location::kQuery) {
    add_query(request, spec::text::percent_encode(scheme.parameter) + '=' + encoded);
  } else if (scheme.location == Location::kCookie) {
    add_cookie(request, scheme.parameter + '=' + encoded);
  } else {
    request.headers.set(scheme.parameter, credential);
  }
}

const spec::contract::SecurityScheme* find_scheme(const spec::contract::Operation& operation,
                                                  const std::string& name) {
  for (const auto& alternative : operation.security) {
    for (const auto& scheme : alternative.schemes) {
      if (scheme.name == name) {
        return &scheme;
      }
    }
  }
  return nullptr;
}

void add_credentials(const spec::contract::Operation& operation, const RequestPlan& plan,
                     const Names& names, Filler& filler, spec::http::Request& request) {
  if (plan.authorization == "") {
    return;
  }
  for (const auto& [name, given] : plan.credentials.value_or(usual_credentials(operation, names))) {
    const auto* scheme = find_scheme(operation, name);
    const bool seen = scheme != nullptr && (scheme->kind != spec::contract::SecurityKind::kOther ||
                                            !scheme->http_scheme.empty());
    if (seen) {
      add_credential(*scheme, filler.text(phrase_about(given, credential_name(name, names))),
                     request);
    }
  }
  if (plan.authorization) {
    const bool is_lone =
        operation.security.size() == 1 && operation.security.front().schemes.size() == 1;
    const auto name =
        credential_name(is_lone ? operation.security.front().schemes.front().name : "", names);
    request.headers.set("Authorization", filler.text(phrase_about(*plan.authorization, name)));
  }
}

void add_body(const RequestPlan& plan, const Names& names, Filler& filler,
              spec::http::Request& request) {
  if (plan.raw_body) {
    request.body = *plan.raw_body;
  } else if (plan.body) {
    auto body = fill(*plan.body, names);
    request.body = body ? spec::json::write(body.value()) : filler.text("${" + body.error() + "}");
  } else {
    return;
  }
  const auto type = plan.body_type.value_or("application/json");
  if (!type.empty()) {
    request.headers.add("Content-Type", type);
  }
}

}  // namespace

const std::string* find_pair(const Pairs& pairs, std::string_view name) {
  const auto found = std::ranges::find(pairs, name, &Pairs::value_type::first);
  return found == pairs.end() ? nullptr : &found->second;
}

void erase_pairs(Pairs& pairs, std::string_view name) {
  std::erase_if(pairs, [name](const auto& pair) { return pair.first == name; });
}

std::string credential_name(const std::string& scheme, const Names& names) {
  auto own = "credentials." + scheme;
  return names.find(own) ? own : "token";
}

std::string phrase_about(std::string_view text, std::string_view name) {
  std::string renamed;
  each_part(text, [&](std::string_view literal, std::string_view part) {
    renamed += literal;
    if (part.empty()) {
      return true;
    }
    const bool of_token = subject_of(part) == "token";
    renamed +=
        "${" + std::string(of_token ? part.substr(0, part.size() - subject_of(part).size()) : part);
    renamed += of_token ? name : "";
    renamed += '}';
    return true;
  });
  return renamed;
}

bool is_credential(std::string_view name) {
  return name == "token" || name == "other_token" || name.starts_with("credentials.");
}

std::optional<std::string> Names::find(std::string_view name) const {
  const auto found = values_.find(name);
  if (found != values_.end()) {
    return found->second;
  }
  if (const auto derived = find_derived(name)) {
    const auto known = values_.find(derived->subject);
    if (known != values_.end()) {
      return derived->make(known->second);
    }
  }
  return std::nullopt;
}

std::string fill_path(std::string_view path_template,
                      const std::function<std::string(const std::string&)>& value_of) {
  std::string path;
  while (!path_template.empty()) {
    const auto open = std::min(path_template.find('{'), path_template.size());
    path += spec::contract::write::write_literal(path_template.substr(0, open));
    const auto close = path_template.find('}', open);
    if (close == std::string_view::npos) {
      break;
    }
    path += value_of(std::string(path_template.substr(open + 1, close - open - 1)));
    path_template.remove_prefix(close + 1);
  }
  return path;
}

spec::Result<std::string, std::string> fill(std::string_view text, const Names& names) {
  std::string filled;
  std::string missing;
  each_part(text, [&](std::string_view literal, std::string_view name) {
    filled += literal;
    if (name.empty()) {
      return true;
    }
    const auto value = names.find(name);
    filled += value.value_or("");
    missing = value ? "" : std::string(name);
    return value.has_value();
  });
  if (!missing.empty()) {
    return Unexpected{missing};
  }
  return filled;
}

spec::Result<json, std::string> fill(json value, const Names& names) {
  if (value.is_string()) {
    const auto& from = value.get_ref<const std::string&>();
    auto text = fill(std::string_view(from), names);
    if (!text) {
      return Unexpected{text.error()};
    }
    const bool number = from.starts_with("${number.") && from.find('}') == from.size() - 1;
    const auto read = number ? spec::json::read(text.value()) : spec::json::read("null");
    return read && spec::json::is_number(*read) ? read.value() : json(text.value());
  }
  if (value.is_structured()) {
    for (auto& element : value) {
      auto filled = fill(element, names);
      if (!filled) {
        return filled;
      }
      element = std::move(filled.value());
    }
  }
  return value;
}

spec::Result<spec::http::Request, std::string> build_request(
    const spec::contract::Operation& operation, const RequestPlan& plan, const Names& names,
    std::string_view prefix) {
  Filler filler(names);
  spec::http::Request request;
  request.method = plan.method.empty() ? operation.method : plan.method;
  request.target = std::string(prefix) + fill_path(operation.path, [&](const std::string& name) {
                     return path_value(plan, name, filler);
                   });
  add_query(plan, filler, request);
  for (const auto& [name, value] : plan.headers) {
    request.headers.add(name, filler.text(value));
  }
  add_credentials(operation, plan, names, filler, request);
  add_body(plan, names, filler, request);
  if (!filler.missing().empty()) {
    return Unexpected{filler.missing()};
  }
  return request;
}

Pairs usual_credentials(const spec::contract::Operation& operation, const Names& names) {
  Pairs credentials;
  if (!operation.is_secured()) {
    return credentials;
  }
  const auto own = std::ranges::find_if(operation.security, [&names](const auto& alternative) {
    return std::ranges::all_of(alternative.schemes, [&names](const auto& scheme) {
      return names.find("credentials." + scheme.name).has_value();
    });
  });
  const auto& chosen = own == operation.security.end() ? operation.security.front() : *own;
  for (const auto& scheme : chosen.schemes) {
    credentials.emplace_back(scheme.name, "${token}");
  }
  return credentials;
}

std::string basic_credentials(const std::string& credential) {
  const bool pair = credential.find(':') != std::string::npos;
  return spec::text::to_base64(pair ? credential : credential + ':');
}

std::set<std::string> names_in(const json& value) {
  std::set<std::string> found;
  if (value.is_string()) {
    each_part(value.get_ref<const std::string&>(), [&](std::string_view, std::string_view name) {
      if (!name.empty()) {
        found.emplace(subject_of(name));
      }
      return true;
    });
  }
  if (value.is_structured()) {
    for (const auto& element : value) {
      found.merge(names_in(element));
    }
  }
  return found;
}

std::set<std::string> names_in(const RequestPlan& plan) {
  auto data = to_json(plan);
  data.erase("authorization");
  data.erase("credentials");
  return names_in(data);
}

}  // namespace contract_tests::plan
