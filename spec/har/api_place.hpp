#pragma once

// Finds the API of a contract in a recording: on which server, and below which path. Used when
// recorded calls are selected. Not safe from several threads.

#include "spec/contract/contract.hpp"
#include "spec/har/har.hpp"
#include "spec/net/base_url.hpp"

#include <cstddef>
#include <map>
#include <string>

namespace spec::har {

// Makes a call to the server of `base` one of its API: moves base.prefix from target to origin. A
// target that is not below the prefix stays as it is, because it may be cut already. False for a
// call to another server; it stays as it is.
bool take_base(Call& call, const net::BaseUrl& base);

// Counts the calls that are for operations, by server and path.
class ApiPlace {
 public:
  // `contract` must outlive it.
  explicit ApiPlace(const contract::Contract& contract) : contract_(contract) {}

  void add(const Call& call);

  // The origin with the most calls for operations; the first of several; "" if there is none.
  std::string origin() const { return most_frequent(origins_); }

  // The URL below which most of the other calls are for operations: of an API with a base path. ""
  // if there is none.
  std::string base() const { return most_frequent(bases_); }

 private:
  struct Count {
    std::size_t calls = 0;
    std::size_t first = 0;  // which call came first
  };

  using Counts = std::map<std::string, Count, std::less<>>;

  bool is_found(const Call& call, std::string_view path) const;
  void count(Counts& counts, std::string place) const;
  static std::string most_frequent(const Counts& counts);

  const contract::Contract& contract_;
  std::size_t seen_ = 0;
  Counts origins_;
  Counts bases_;
};

}  // namespace spec::har
