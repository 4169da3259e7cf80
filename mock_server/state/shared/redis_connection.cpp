#include "mock_server/state/shared/redis_connection.hpp"

#include "mock_server/state/cells.hpp"
#include "spec/text/ascii.hpp"

#include <array>
#include <hiredis/hiredis.h>
#include <string_view>
#include <utility>

namespace mock_server::state::shared {
namespace {

using spec::net::Progress;

constexpr std::size_t kReadBytes = 16 * 1024;

using ReplyPointer = std::unique_ptr<redisReply, decltype(&freeReplyObject)>;

Value to_value(const redisReply& reply) {
  Value value;
  value.number = reply.type == REDIS_REPLY_INTEGER ? reply.integer : 0;
  value.is_nothing = reply.type == REDIS_REPLY_NIL;
  value.is_error = reply.type == REDIS_REPLY_ERROR;
  if (reply.str != nullptr) {
    value.text.assign(reply.str, reply.len);
  }
  for (std::size_t at = 0; reply.type == REDIS_REPLY_ARRAY && at < reply.elements; ++at) {
    value.list.push_back(to_value(*reply.element[at]));
  }
  return value;
}

// Appends the command as Redis reads it.
void write_command(const Words& words, std::string& bytes) {
  std::vector<const char*> texts;
  std::vector<std::size_t> sizes;
  for (const std::string& word : words) {
    texts.push_back(word.data());
    sizes.push_back(word.size());
  }
  char* made = nullptr;
  const int size =
      redisFormatCommandArgv(&made, static_cast<int>(words.size()), texts.data(), sizes.data());
  if (size < 0) {
    throw std::bad_alloc();
  }
  bytes.append(made, static_cast<std::size_t>(size));
  redisFreeCommand(made);
}

spec::net::Stream opened(const RedisAddress& address, const spec::net::Trust& trust,
                         Deadline deadline) {
  spec::net::BaseUrl url;
  url.tls = address.is_encrypted;
  url.host = address.host;
  url.port = address.port;
  auto stream = spec::net::open_stream(url, trust, deadline);
  if (!stream) {
    throw Unavailable(stream.error().message);
  }
  return std::move(stream.value());
}

[[noreturn]] void fail_with(Progress::Kind kind) {
  throw Unavailable(kind == Progress::Kind::kDeadline ? "no reply in time"
                                                      : "the connection ended");
}

}  // namespace

std::string RedisAddress::text() const {
  return (is_encrypted ? "rediss://" : "redis://") + host + ':' + std::to_string(port) + '/' +
         std::to_string(database);
}

std::uint64_t Value::count() const {
  return text.empty() ? static_cast<std::uint64_t>(number)
                      : spec::text::parse_number<std::uint64_t>(text).value_or(0);
}

void RedisConnection::ReaderEnd::operator()(redisReader* reader) const {
  redisReaderFree(reader);
}

RedisConnection::RedisConnection(const RedisAddress& address, const spec::net::Trust& trust,
                                 Deadline deadline)
    : stream_(opened(address, trust, deadline)), reader_(redisReaderCreate()) {
  if (reader_ == nullptr) {
    throw std::bad_alloc();
  }
}

std::vector<Value> RedisConnection::ask(const std::vector<Words>& commands, Deadline deadline) {
  std::string bytes;
  for (const Words& words : commands) {
    write_command(words, bytes);
  }
  const Progress sent = stream_.write(bytes, deadline);
  if (sent.kind != Progress::Kind::kBytes) {
    fail_with(sent.kind);
  }
  std::vector<Value> values;
  for (std::size_t at = 0; at < commands.size(); ++at) {
    values.push_back(read(deadline));
  }
  return values;
}

bool RedisConnection::is_open() {
  char byte = 0;
  return stream_.read(&byte, 1, std::chrono::steady_clock::now()).kind == Progress::Kind::kDeadline;
}

Value RedisConnection::read(Deadline deadline) {
  std::array<char, kReadBytes> buffer;
  for (;;) {
    void* found = nullptr;
    if (redisReaderGetReply(reader_.get(), &found) != REDIS_OK) {
      throw Unavailable(std::string("the server is not Redis: ") +
                        static_cast<const char*>(reader_->errstr));
    }
    if (found != nullptr) {
      const ReplyPointer reply(static_cast<redisReply*>(found), &freeReplyObject);
      return to_value(*reply);
    }
    const Progress got = stream_.read(buffer.data(), buffer.size(), deadline);
    if (got.kind != Progress::Kind::kBytes) {
      fail_with(got.kind);
    }
    if (redisReaderFeed(reader_.get(), buffer.data(), got.bytes) != REDIS_OK) {
      throw std::bad_alloc();
    }
  }
}

}  // namespace mock_server::state::shared
