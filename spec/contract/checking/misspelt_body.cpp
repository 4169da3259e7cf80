#include "spec/contract/checking/misspelt_body.hpp"

#include "spec/contract/checking/body.hpp"
#include "spec/contract/state.hpp"

namespace spec::contract {

std::vector<schema::Misspelling> misspelt_body(const Contract& contract, const Operation& operation,
                                               const http::Request& request,
                                               const nlohmann::json& body) {
  const MediaTypeObject* content =
      operation.body ? checking::select_content(operation.body->contents, request.headers)
                     : nullptr;
  if (content == nullptr || !content->schema) {
    return {};
  }
  return contract.state().known_members.misspelt({&contract.schemas(), *content->schema}, body);
}

}  // namespace spec::contract
