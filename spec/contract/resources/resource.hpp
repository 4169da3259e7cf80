#pragma once

// Operations grouped by what their paths name: "/pets" and "/pets/{id}" are one resource.

#include "spec/contract/contract.hpp"

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace spec::contract {

struct Resource {
  std::string form;                      // "/owners/{}/pets": the path without names of parameters
  std::string name;                      // "pets"
  std::vector<std::string> parents;      // forms of the resources that the path goes through
  std::vector<const Operation*> of_all;  // GET /pets, POST /pets
  std::vector<const Operation*> of_one;  // GET /pets/{id}

  // "PUT /todos/{id}/done" is about one todo, not about several of its own.
  bool is_collection() const {
    return !of_one.empty() || (all("GET") != nullptr && all("POST") != nullptr);
  }

  // Null if there is none.
  const Operation* all(std::string_view method) const;
  const Operation* one(std::string_view method) const;
};

// The resources by form. Only paths whose segments are each a text or one parameter;
// "People('{name}')" is a text and a parameter, and an ending that is a format ("/pets.json") is
// left out.
using Resources = std::map<std::string, Resource>;
Resources resources_of(const Contract& contract);

// The resource that has the operation; null if none does.
const Resource* resource_of(const Resources& resources, const Operation& operation);

// The runtime expression that a link of `creation` gives to the last path parameter of `target`:
// "$response.body#/id"; "" if there is none. Precondition: the path has one.
// Source: OpenAPI 3.1.0, Link Object.
std::string linked_expression(const Contract& contract, const Operation& creation,
                              const Operation& target);

// The member that a link of the creation gives to an operation of one record: `$response.body#/id`;
// "" if there is none.
std::string linked_member(const Contract& contract, const Resource& resource);

}  // namespace spec::contract
