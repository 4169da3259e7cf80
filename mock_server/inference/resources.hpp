#pragma once

// Operations grouped by what their paths name: "/pets" and "/pets/{id}" are one resource.

#include "spec/contract/contract.hpp"

#include <map>
#include <string>
#include <vector>

namespace mock_server::inference {

struct Resource {
  std::string form;                  // "/owners/{}/pets": the path without names of parameters
  std::string name;                  // "pets"
  std::vector<std::string> parents;  // forms of the resources that the path goes through
  std::vector<const spec::contract::Operation*> of_all;  // GET /pets, POST /pets
  std::vector<const spec::contract::Operation*> of_one;  // GET /pets/{id}

  // "PUT /todos/{id}/done" is about one todo, not about several of its own.
  bool is_collection() const {
    return !of_one.empty() || (all("GET") != nullptr && all("POST") != nullptr);
  }

  // Null if there is none.
  const spec::contract::Operation* all(std::string_view method) const;
  const spec::contract::Operation* one(std::string_view method) const;
};

// By form. Only paths whose segments are each a text or one parameter.
std::map<std::string, Resource> resources_of(const spec::contract::Contract& contract);

// The names of the path's parameters, in order.
std::vector<std::string> path_parameters(const spec::contract::Operation& operation);

// The member that a link of the creation gives to an operation of one record:
// `$response.body#/id`; "" for none. Source: OpenAPI 3.1.0, Link Object.
std::string linked_member(const spec::contract::Contract& contract, const Resource& resource);

}  // namespace mock_server::inference
