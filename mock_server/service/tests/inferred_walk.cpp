#include "mock_server/service/tests/inferred_walk.hpp"

#include "spec/contract/contract_state.hpp"
#include "spec/contract/resources/body_shapes.hpp"
#include "spec/contract/write/example_body.hpp"
#include "spec/contract/write/write_parameter.hpp"
#include "spec/json/number.hpp"
#include "spec/json/read.hpp"
#include "spec/text/encoding.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>

namespace mock_server::service {
namespace {

using api::Behaviour;
using api::Binding;
using nlohmann::json;
using spec::contract::Location;
using spec::http::Response;

constexpr std::size_t kMaxRecords = 6;  // below the smallest usual page

bool is_by_path(const Binding& binding) {
  return binding.key && binding.key->root == api::Place::Root::kPath;
}

void add_binding(const Binding& binding, WalkedCollection& walked) {
  switch (binding.behaviour) {
    case Behaviour::kCreate: walked.create = &binding; break;
    case Behaviour::kRead: walked.read = &binding; break;
    case Behaviour::kDelete: walked.remove = &binding; break;
    case Behaviour::kUpdate:
    case Behaviour::kReplace:
      if (is_by_path(binding)) {
        walked.changes.push_back(&binding);
      }
      break;
    case Behaviour::kList:
    case Behaviour::kElements: walked.lists.push_back(&binding); break;
    default: break;
  }
}

json shown_by(const Binding& binding, const Response& response) {
  const auto body = spec::json::read(response.body);
  const json* const found = body ? api::walk(&*body, binding.into) : nullptr;
  return found != nullptr ? *found : json(nullptr);
}

// True if the members that both have are the same: responses may show less than is kept, and more.
bool agree(const json& left, const json& right) {
  if (!left.is_object() || !right.is_object()) {
    return left == right;
  }
  return std::ranges::all_of(left.items(), [&](const auto& member) {
    const auto other = right.find(member.key());
    return other == right.end() || member.value().is_null() || agree(member.value(), *other);
  });
}

bool is_warned_of(const Response& response) {
  return response.headers.find("X-Counterpart-Warning").has_value();
}

}  // namespace

std::vector<WalkedCollection> walked_collections(const api::LoadedApi& api) {
  std::vector<WalkedCollection> all;
  for (const auto& [name, collection] : api.fixtures.collections()) {
    WalkedCollection walked;
    walked.collection = &collection;
    for (const Binding& binding : api.fixtures.bindings()) {
      if (binding.collection == &collection) {
        add_binding(binding, walked);
      }
    }
    if (walked.create != nullptr && walked.read != nullptr && is_by_path(*walked.read)) {
      all.push_back(std::move(walked));
    }
  }
  return all;
}

InferredWalk::InferredWalk(const api::LoadedApi& api, const WalkedCollection& walked,
                           TestService& service, std::uint64_t seed)
    : api_(api),
      walked_(walked),
      service_(service),
      generator_(api.contract.schemas()),
      random_(seed) {}

void InferredWalk::step() {
  const auto key = some_key();
  if (!key || (random_() % 4 == 0 && model_.size() < kMaxRecords)) {
    return create();
  }
  if (kept_ == 0 && walked_.remove == nullptr && model_.size() >= kMaxRecords) {
    return start_over();  // nothing else makes room for another
  }
  switch (random_() % 6) {
    case 0:
    case 1: return change(*key);
    case 2: return remove(*key);
    case 3: return list();
    case 4: return read_absent();
    default: return read(*key);
  }
}

// Parents, two at each place of the path.
InferredWalk::Parents InferredWalk::some_parents() {
  Parents parents;
  for (const api::Within& within : walked_.create->within) {
    const auto* const parameter =
        walked_.create->operation->parameter(Location::kPath, within.given.tokens.front());
    parents.push_back(parameter == nullptr ? "p" : generated_text(*parameter, random_() % 2));
  }
  return parents;
}

std::optional<InferredWalk::Key> InferredWalk::some_key() {
  if (model_.empty()) {
    return std::nullopt;
  }
  auto at = model_.begin();
  std::advance(at, static_cast<std::ptrdiff_t>(random_() % model_.size()));
  return at->first;
}

std::string InferredWalk::generated_text(const spec::contract::Parameter& parameter,
                                         std::uint64_t seed) {
  spec::schema::generate::GenerateOptions options;
  options.seed = seed + 1;
  options.name = parameter.name;
  options.use_examples = false;
  options.direction = spec::schema::Direction::kRequest;
  const auto value = spec::contract::write::generate_value(generator_, parameter, options);
  return value ? api::key_text(*value) : "p" + std::to_string(seed);
}

// A body that the contract allows, which names the record and its parents as the path does.
json InferredWalk::generated_sent(const Binding& binding, const Parents& parents,
                                  const std::string& key) {
  const auto* const content = spec::contract::resources::request_content(*binding.operation);
  if (content == nullptr || !content->schema) {
    return nullptr;
  }
  spec::schema::generate::GenerateOptions options;
  options.seed = random_();
  options.use_examples = random_() % 4 == 0;
  options.direction = spec::schema::Direction::kRequest;
  auto sent = generator_.generate(*content->schema, options);
  if (!sent) {
    return nullptr;
  }
  json* const record = api::walk(&*sent, binding.from);
  json* const own = record != nullptr ? api::walk(record, *walked_.collection->id()) : nullptr;
  if (own != nullptr && !key.empty()) {
    const bool is_number = spec::json::is_number(*own) && spec::json::is_number_text(key);
    *own = is_number ? spec::json::make_number(key) : json(key);
  }
  for (std::size_t i = 0; record != nullptr && i < binding.within.size(); ++i) {
    if (json* const parent = api::walk(record, binding.within[i].at)) {
      *parent = parents[i];  // the path decides
    }
  }
  return std::move(*sent);
}

void InferredWalk::add_body(const Binding& binding, const json& drawn, spec::http::Request& request,
                            json& sent) {
  sent = drawn;
  const auto* const content = spec::contract::resources::request_content(*binding.operation);
  if (sent.is_null() || content == nullptr) {
    return;
  }
  const auto body = spec::contract::write::write_body(
      spec::contract::write::form_of(api_.contract, *content), sent, {});
  if (!body) {
    sent = nullptr;  // no form can carry it
    return;
  }
  request.headers.add("Content-Type", body->media_type);
  request.headers.add("Content-Length", std::to_string(body->bytes.size()));
  request.body = body->bytes;
}

std::string InferredWalk::target_of(const Binding& binding, const Parents& parents,
                                    const std::string& key) {
  std::string target = binding.operation->path;
  const auto put = [&](const std::string& name, const std::string& value) {
    const std::size_t at = target.find('{' + name + '}');
    if (at != std::string::npos) {
      target.replace(at, name.size() + 2, spec::text::percent_encode(value));
    }
  };
  for (std::size_t i = 0; i < binding.within.size() && i < parents.size(); ++i) {
    put(binding.within[i].given.tokens.front(), parents[i]);
  }
  if (is_by_path(binding)) {
    put(binding.key->tokens.front(), key);
  }
  return target;
}

void InferredWalk::add_required(const Binding& binding, spec::http::Request& request) {
  std::string query;
  for (const auto& parameter : binding.operation->parameters) {
    if (!parameter.required || parameter.location == Location::kPath) {
      continue;
    }
    const std::string value = generated_text(parameter, random_());
    if (parameter.location == Location::kHeader) {
      request.headers.add(parameter.name, value);
    } else if (parameter.location == Location::kQuery) {
      query += (query.empty() ? '?' : '&') + spec::text::percent_encode(parameter.name) + '=' +
               spec::text::percent_encode(value);
    }
  }
  request.target += query;
}

InferredWalk::Call InferredWalk::call(const Binding& binding, const Parents& parents,
                                      const std::string& key) {
  Call made;
  spec::http::Request request;
  request.method = binding.operation->method;
  request.target = target_of(binding, parents, key);
  request.headers.add("Host", "mock.example");
  add_required(binding, request);
  if (binding.behaviour != Behaviour::kRead && binding.behaviour != Behaviour::kList &&
      binding.behaviour != Behaviour::kElements) {
    add_body(binding, generated_sent(binding, parents, key), request, made.sent);
  }
  made.sent_text = request.method + ' ' + request.target + ' ' + request.body;
  made.response = service_.ask(request).response;
  made.is_warned = is_warned_of(made.response);
  return made;
}

void InferredWalk::create() {
  const Parents parents = some_parents();
  const Call made = call(*walked_.create, parents, "");
  if (made.response.status == 409) {
    return;  // the generated key is taken
  }
  ASSERT_EQ(made.response.status / 100, 2) << made.sent_text << '\n' << made.response.body;
  const json record = shown_by(*walked_.create, made.response);
  const json* const own = api::walk(&record, *walked_.collection->id());
  ASSERT_NE(own, nullptr) << made.sent_text << '\n' << made.response.body;
  const json* const sent = api::walk(&made.sent, walked_.create->from);
  const bool is_as_sent = sent != nullptr && sent->is_object() && !made.is_warned;
  EXPECT_TRUE(!is_as_sent || agree(*sent, record)) << made.sent_text << '\n' << record;
  kept_ += is_as_sent ? 1 : 0;
  const Key key{parents, api::key_text(*own)};
  const std::string own_path = target_of(*walked_.read, parents, key.second);
  const auto location = made.response.headers.find("Location");
  EXPECT_TRUE(!location || location->ends_with(own_path)) << *location << '\n' << own_path;
  EXPECT_TRUE(model_.emplace(key, record).second) << "used twice: " << record;
  read(key);
}

void InferredWalk::read(const Key& key) {
  const Call made = call(*walked_.read, key.first, key.second);
  ASSERT_EQ(made.response.status, 200) << made.sent_text << '\n' << made.response.body;
  json record = shown_by(*walked_.read, made.response);
  EXPECT_TRUE(agree(model_.at(key), record)) << made.sent_text << '\n'
                                             << model_.at(key) << '\n'
                                             << record;
  model_[key] = std::move(record);
}

void InferredWalk::read_absent() {
  const Key key{some_parents(), generated_text(walked_.read->operation->parameters.back(), 77)};
  if (!model_.contains(key)) {
    const Call made = call(*walked_.read, key.first, key.second);
    EXPECT_EQ(made.response.status, 404) << made.sent_text << '\n' << made.response.body;
  }
}

void InferredWalk::list() {
  const Parents parents = some_parents();
  for (const Binding* const binding : walked_.lists) {
    const Call made = call(*binding, parents, "");
    ASSERT_EQ(made.response.status, 200) << made.sent_text << '\n' << made.response.body;
    const auto body = spec::json::read(made.response.body);
    const json* const listed = body ? api::walk(&*body, binding->list.into) : nullptr;
    ASSERT_TRUE(listed != nullptr && listed->is_array()) << made.response.body;
    for (const json& record : *listed) {
      const json* const own = api::walk(&record, *walked_.collection->id());
      const auto known = model_.find({parents, own != nullptr ? api::key_text(*own) : "no key"});
      ASSERT_NE(known, model_.end()) << made.sent_text << '\n' << record;
      EXPECT_TRUE(agree(known->second, record)) << known->second << '\n' << record;
    }
    const auto count = static_cast<std::size_t>(
        std::ranges::count_if(model_, [&](const auto& one) { return one.first.first == parents; }));
    const bool is_filtered = made.sent_text.find('?') != std::string::npos;
    EXPECT_TRUE(listed->size() == count || (is_filtered && listed->size() < count))
        << made.sent_text << ' ' << count << '\n'
        << made.response.body;
  }
}

void InferredWalk::change(const Key& key) {
  if (walked_.changes.empty()) {
    return read(key);
  }
  const Binding& binding = *walked_.changes[random_() % walked_.changes.size()];
  const Call made = call(binding, key.first, key.second);
  ASSERT_EQ(made.response.status / 100, 2) << made.sent_text << '\n' << made.response.body;
  const Call after = call(*walked_.read, key.first, key.second);
  ASSERT_EQ(after.response.status, 200) << after.sent_text << '\n' << after.response.body;
  json record = shown_by(*walked_.read, after.response);
  const json* const sent = api::walk(&made.sent, binding.from);
  EXPECT_TRUE(made.is_warned || sent == nullptr || sent->is_null() || agree(*sent, record))
      << made.sent_text << '\n'
      << record;
  model_[key] = std::move(record);
}

void InferredWalk::remove(const Key& key) {
  if (walked_.remove == nullptr) {
    return read(key);
  }
  const Call made = call(*walked_.remove, key.first, key.second);
  ASSERT_LT(made.response.status, 400) << made.sent_text << '\n' << made.response.body;
  model_.erase(key);
  const Call after = call(*walked_.read, key.first, key.second);
  EXPECT_EQ(after.response.status, 404) << after.sent_text << '\n' << after.response.body;
}

void InferredWalk::start_over() {
  const auto response =
      service_.ask({"POST", "/_mock/reset", {{"Content-Length", "0"}}, ""}).response;
  ASSERT_EQ(response.status, 200) << response.body;
  model_.clear();
}

}  // namespace mock_server::service
