#pragma once

// A random walk over one collection that was inferred: requests are generated from the contract,
// and what comes back is compared with a small model.

#include "mock_server/api/loaded_api.hpp"
#include "mock_server/service/tests/test_service.hpp"
#include "spec/schema/generate/generator.hpp"

#include <nlohmann/json.hpp>

#include <cstdint>
#include <map>
#include <optional>
#include <random>
#include <string>
#include <utility>
#include <vector>

namespace mock_server::service {

struct WalkedCollection {
  const api::Collection* collection = nullptr;
  const api::Binding* create = nullptr;
  const api::Binding* read = nullptr;
  std::vector<const api::Binding*> lists;
  std::vector<const api::Binding*> changes;  // update and replace, of a record by its path
  const api::Binding* remove = nullptr;      // null if there is none
};

// Those in which something creates records and something reads them.
std::vector<WalkedCollection> walked_collections(const api::LoadedApi& api);

class InferredWalk {
 public:
  // Keeps references to all.
  InferredWalk(const api::LoadedApi& api, const WalkedCollection& walked, TestService& service,
               std::uint64_t seed);

  // One request, or two, whose responses must agree with the model: GoogleTest's expectations.
  void step();

  // The number of records that were kept exactly as they were sent.
  int kept() const { return kept_; }

 private:
  using Parents = std::vector<std::string>;
  using Key = std::pair<Parents, std::string>;

  struct Call {
    std::string sent_text;  // the target, for messages
    nlohmann::json sent;    // the body; null for none
    spec::http::Response response;
    bool is_warned = false;
  };

  Parents some_parents();
  std::optional<Key> some_key();
  std::string generated_text(const spec::contract::Parameter& parameter, std::uint64_t seed);
  nlohmann::json generated_sent(const api::Binding& binding, const Parents& parents,
                                const std::string& key);
  Call call(const api::Binding& binding, const Parents& parents, const std::string& key);
  void add_body(const api::Binding& binding, const nlohmann::json& drawn,
                spec::http::Request& request, nlohmann::json& sent);
  std::string target_of(const api::Binding& binding, const Parents& parents,
                        const std::string& key);
  void add_required(const api::Binding& binding, spec::http::Request& request);

  void create();
  void read(const Key& key);
  void read_absent();
  void list();
  void change(const Key& key);
  void remove(const Key& key);
  void start_over();

  const api::LoadedApi& api_;
  const WalkedCollection& walked_;
  TestService& service_;
  spec::schema::generate::Generator generator_;
  std::mt19937_64 random_;
  std::map<Key, nlohmann::json> model_;
  int kept_ = 0;
};

}  // namespace mock_server::service
