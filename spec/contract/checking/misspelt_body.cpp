#include "spec/contract/checking/misspelt_body.hpp"

#include "spec/contract/checking/body.hpp"
#include "spec/contract/state.hpp"
#include "spec/http/media_type.hpp"

namespace spec::contract {

std::vector<schema::Misspelling> misspelt_body(const Contract& contract, const Operation& operation,
                                               const http::Request& request,
                                               const nlohmann::json& body) {
  const auto field = request.headers.find("Content-Type");
  const auto type = field ? http::parse_media_type(*field) : std::nullopt;
  if (!operation.body || !type) {
    return {};
  }
  const auto& contents = operation.body->contents;
  const auto selected = checking::select_content(contents, *type);
  if (!selected || !contents[*selected].schema) {
    return {};
  }
  return contract.state().known_members.misspelt({&contract.schemas(), *contents[*selected].schema},
                                                 body);
}

}  // namespace spec::contract
