#pragma once

// The records of nested collections as members of the record that they belong to: what was posted
// to "/carts/{id}/items" is in `items` of that cart. They are not stored there: whoever shows the
// record adds them.

#include "mock_server/api/nested_collection.hpp"
#include "mock_server/service/request/request_context.hpp"
#include "mock_server/service/responses/session_records.hpp"

#include <nlohmann/json_fwd.hpp>

#include <map>
#include <string>
#include <vector>

namespace mock_server::service::responses {

// The records below those of the binding's collection, as this request sees them.
class Children {
 public:
  explicit Children(const RequestContext& context);

  bool is_empty() const { return groups_.empty(); }

  // Adds them to the lists of `record`, behind the elements of its own, and counts them.
  void show_in(nlohmann::json& record) const;

 private:
  struct Group {
    const api::Binding* binding = nullptr;
    std::vector<std::string> list{};  // its place in the record; empty: only counted
    bool is_shown = false;            // by the response's schema
    spec::schema::Schemas record{};   // those of the response, or of a whole record
    spec::schema::Schemas schemas{};  // of the list
    std::vector<std::string> counts{};
    std::map<std::string, std::vector<ListedRecord>> by_parents{};
  };

  void add_group(const api::NestedCollection& nested);
  // The elements of `list` that are no copies of children, of before or now.
  nlohmann::json own_elements(const Group& group, const std::string& parents,
                              const std::vector<ListedRecord>& children,
                              const nlohmann::json& list) const;
  void show_group(const Group& group, const std::string& parents, nlohmann::json& record) const;

  const RequestContext& context_;
  spec::schema::Schemas shown_;  // of the record in the response
  std::vector<Group> groups_;
};

// Deletes what is below the record, and what is below that.
void delete_children(const RequestContext& context, const api::Binding& binding,
                     const nlohmann::json& record);

}  // namespace mock_server::service::responses
