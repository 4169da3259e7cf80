#include "mock_server/program/contract_mark.hpp"

#include "spec/text/encoding.hpp"

#include <openssl/evp.h>

#include <algorithm>
#include <array>
#include <fstream>
#include <iterator>
#include <string>
#include <string_view>
#include <vector>

namespace mock_server::program {
namespace {

// SHA-256 in hexadecimal digits.
std::string hash_of(std::string_view bytes) {
  std::array<unsigned char, EVP_MAX_MD_SIZE> hash{};
  unsigned size = 0;
  EVP_Digest(bytes.data(), bytes.size(), hash.data(), &size, EVP_sha256(), nullptr);
  return spec::text::to_hex({reinterpret_cast<const char*>(hash.data()), size});
}

}  // namespace

state::ContractMark mark_of(const spec::contract::Contract& contract) {
  std::string texts;
  for (const auto& file : contract.files()) {
    std::ifstream stream(file, std::ios::binary);
    texts.append(std::istreambuf_iterator<char>(stream), {});
    texts.push_back('\0');
  }
  std::vector<std::string> names;
  for (const auto& operation : contract.operations()) {
    names.push_back(operation.name);
  }
  std::ranges::sort(names);
  state::ContractMark mark{std::string(contract.title()), hash_of(texts), ""};
  for (const std::string& name : names) {
    mark.operations += name + '\n';
  }
  return mark;
}

}  // namespace mock_server::program
