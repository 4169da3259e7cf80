#include "mock_server/program/state_address.hpp"

#include "spec/net/base_url.hpp"
#include "spec/text/ascii.hpp"

#include <cstdint>
#include <string_view>
#include <utility>

namespace mock_server::program {
namespace {

using state::shared::RedisAddress;

constexpr std::string_view kSqlite = "sqlite:";
constexpr std::string_view kRedis = "redis://";
constexpr std::string_view kEncryptedRedis = "rediss://";
constexpr std::uint32_t kMaxDatabase = 1'000'000;
constexpr const char* kForms =
    "--state: must be sqlite:FILE, redis://[:PASSWORD@]HOST[:PORT][/DB] or rediss://...";

// Takes "/DB" and ":PORT" off the end of `rest`. False if either is no such number.
bool read_numbers(std::string_view& rest, RedisAddress& address) {
  if (const auto slash = rest.find('/'); slash != std::string_view::npos) {
    const std::string_view digits = rest.substr(slash + 1);
    const auto database = spec::text::parse_number<std::uint32_t>(digits);
    if (!digits.empty() && (!database || *database > kMaxDatabase)) {
      return false;
    }
    address.database = static_cast<int>(database.value_or(0));
    rest = rest.substr(0, slash);
  }
  const auto colon = rest.rfind(':');
  if (colon != std::string_view::npos && rest.find(']', colon) == std::string_view::npos) {
    const auto port = spec::net::parse_port(rest.substr(colon + 1));
    if (!port) {
      return false;
    }
    address.port = *port;
    rest = rest.substr(0, colon);
  }
  return true;
}

spec::Result<StateAddress, std::string> read_redis(std::string_view rest, bool is_encrypted) {
  RedisAddress address{.is_encrypted = is_encrypted};
  if (const auto at = rest.rfind('@'); at != std::string_view::npos) {
    if (!rest.starts_with(':')) {
      return spec::Unexpected{
          std::string("--state: put a colon before the password: redis://:PASSWORD@HOST")};
    }
    address.password = rest.substr(1, at - 1);
    rest = rest.substr(at + 1);
  }
  if (!read_numbers(rest, address)) {
    return spec::Unexpected{
        std::string("--state: PORT must be 1 to 65535, and DB a number: redis://HOST:6379/0")};
  }
  if (rest.starts_with('[') && rest.ends_with(']')) {
    rest = rest.substr(1, rest.size() - 2);
  }
  if (rest.empty()) {
    return spec::Unexpected{
        std::string("--state: names no host; for example redis://127.0.0.1:6379/0")};
  }
  address.host = rest;
  return StateAddress{StateAddress::Kind::kRedis, "", std::move(address)};
}

}  // namespace

spec::Result<StateAddress, std::string> parse_state_address(const std::string& text) {
  const std::string_view given = text;
  StateAddress address;
  if (given.empty()) {
    return address;
  }
  if (given.starts_with(kSqlite)) {
    address.kind = StateAddress::Kind::kSqlite;
    address.file = given.substr(kSqlite.size());
    if (address.file.empty()) {
      return spec::Unexpected{std::string("--state: names no file; for example sqlite:mock.db")};
    }
    return address;
  }
  if (given.starts_with(kRedis)) {
    return read_redis(given.substr(kRedis.size()), false);
  }
  if (given.starts_with(kEncryptedRedis)) {
    return read_redis(given.substr(kEncryptedRedis.size()), true);
  }
  return spec::Unexpected{std::string(kForms)};
}

}  // namespace mock_server::program
