#include "mock_server/state/shared/redis.hpp"

#include "mock_server/state/shared/scripts.hpp"
#include "mock_server/state/unavailable.hpp"
#include "spec/load_error.hpp"
#include "spec/text/number.hpp"

#include <array>
#include <hiredis/hiredis.h>
#include <sys/time.h>
#include <utility>

namespace mock_server::state::shared {
namespace {

constexpr std::size_t kKeptConnections = 64;
constexpr std::string_view kFormat = "1";
constexpr std::uint32_t kOldestVersion = 6;

thread_local int waits_forbidden = 0;

using ReplyPointer = std::unique_ptr<redisReply, decltype(&freeReplyObject)>;

Value to_value(const redisReply& reply) {
  Value value;
  value.number = reply.type == REDIS_REPLY_INTEGER ? reply.integer : 0;
  value.is_nothing = reply.type == REDIS_REPLY_NIL;
  if (reply.str != nullptr) {
    value.text.assign(reply.str, reply.len);
  }
  for (std::size_t at = 0; reply.type == REDIS_REPLY_ARRAY && at < reply.elements; ++at) {
    value.list.push_back(to_value(*reply.element[at]));
  }
  return value;
}

// A redisReply, or null when the connection is broken.
ReplyPointer command(redisContext* context, const std::vector<std::string>& words) {
  std::vector<const char*> texts;
  std::vector<std::size_t> sizes;
  for (const std::string& word : words) {
    texts.push_back(word.data());
    sizes.push_back(word.size());
  }
  void* const reply =
      redisCommandArgv(context, static_cast<int>(words.size()), texts.data(), sizes.data());
  return {static_cast<redisReply*>(reply), &freeReplyObject};
}

timeval deadline_of_redis() {
  return {0, std::chrono::microseconds(Redis::kDeadline).count()};
}

std::string version_in(const std::string& info) {
  constexpr std::string_view kName = "redis_version:";
  const auto at = info.find(kName);
  return at == std::string::npos
             ? ""
             : info.substr(at + kName.size(), info.find('\r', at) - at - kName.size());
}

}  // namespace

std::string RedisAddress::text() const {
  return "redis://" + host + ':' + std::to_string(port) + '/' + std::to_string(database);
}

std::uint64_t Value::count() const {
  return text.empty() ? static_cast<std::uint64_t>(number)
                      : spec::text::parse_number<std::uint64_t>(text).value_or(0);
}

NoWait::NoWait() {
  ++waits_forbidden;
}

NoWait::~NoWait() {
  --waits_forbidden;
}

bool may_wait() {
  return waits_forbidden == 0;
}

struct Redis::Connection {
  std::unique_ptr<redisContext, decltype(&redisFree)> context{nullptr, &redisFree};
  std::array<std::string, kScripts> scripts;  // their names at this Redis

  // Throws std::string, the reason, when the answer is an error or none came.
  ReplyPointer ask(const std::vector<std::string>& words) const {
    ReplyPointer reply = command(context.get(), words);
    if (reply == nullptr) {
      throw Unavailable(context->errstr);
    }
    if (reply->type == REDIS_REPLY_ERROR) {
      throw Unavailable(std::string(reply->str, reply->len));
    }
    return reply;
  }
};

Redis::Redis(RedisAddress address) : address_(std::move(address)) {}

Redis::~Redis() = default;

// Throws Unavailable.
Redis::Lease Redis::connect() {
  auto made = std::make_unique<Connection>();
  made->context.reset(
      redisConnectWithTimeout(address_.host.c_str(), address_.port, deadline_of_redis()));
  if (made->context == nullptr || made->context->err != 0) {
    throw Unavailable(made->context == nullptr ? "no memory" : made->context->errstr);
  }
  redisSetTimeout(made->context.get(), deadline_of_redis());
  if (!address_.password.empty()) {
    made->ask({"AUTH", address_.password});
  }
  made->ask({"SELECT", std::to_string(address_.database)});
  for (std::size_t at = 0; at < kScripts; ++at) {
    const auto reply = made->ask({"SCRIPT", "LOAD", std::string(text_of(static_cast<Script>(at)))});
    made->scripts.at(at).assign(reply->str, reply->len);
  }
  return made;
}

Redis::Lease Redis::take() {
  {
    const std::lock_guard lock(mutex_);
    if (!idle_.empty()) {
      Lease lease = std::move(idle_.back());
      idle_.pop_back();
      return lease;
    }
  }
  return connect();
}

void Redis::give_back(Lease lease) {
  const std::lock_guard lock(mutex_);
  if (idle_.size() < kKeptConnections) {
    idle_.push_back(std::move(lease));
  }
}

void Redis::fail(const std::string& problem) {
  const std::string sentence =
      "the state at " + address_.text() + " cannot be reached: " + problem + "; try again soon";
  {
    const std::lock_guard lock(mutex_);
    problem_ = sentence;
    idle_.clear();
    is_down_.store(true);
  }
  throw Unavailable(sentence);
}

std::string Redis::problem() const {
  const std::lock_guard lock(mutex_);
  return problem_;
}

Value Redis::run(Script script, const std::vector<std::string>& arguments) {
  if (!may_wait()) {
    throw Unavailable("the shared state cannot be asked here");
  }
  if (is_down()) {
    throw Unavailable(problem());
  }
  try {
    Lease lease = take();
    std::vector<std::string> words{"EVALSHA", lease->scripts.at(static_cast<std::size_t>(script)),
                                   "0"};
    words.insert(words.end(), arguments.begin(), arguments.end());
    const ReplyPointer reply = command(lease->context.get(), words);
    if (reply == nullptr) {
      throw Unavailable(lease->context->errstr);
    }
    if (reply->type == REDIS_REPLY_ERROR) {
      const std::string_view error(reply->str, reply->len);
      if (error.find("OOM") != std::string_view::npos) {
        give_back(std::move(lease));
        throw OutOfRoom{};
      }
      throw Unavailable(std::string(error));
    }
    give_back(std::move(lease));
    return to_value(*reply);
  } catch (const Unavailable& away) {
    fail(away.what());
  }
}

void Redis::probe() noexcept {
  try {
    Lease lease = is_down() ? connect() : take();
    lease->ask({"PING"});
    give_back(std::move(lease));
    const std::lock_guard lock(mutex_);
    problem_.clear();
    is_down_.store(false);
  } catch (const Unavailable& away) {
    try {
      fail(away.what());
    } catch (const std::exception&) {  // it is noted
    }
  } catch (...) {  // without memory: asked again soon
  }
}

void Redis::check(const std::string& fingerprint) {
  const auto stop = [this](const std::string& problem) {
    throw spec::LoadError(spec::Problem{address_.text(), 0, 0, "", problem});
  };
  try {
    Lease lease = connect();
    const ReplyPointer info = lease->ask({"INFO", "server"});
    const std::string version = version_in({info->str, info->len});
    if (spec::text::parse_number<std::uint32_t>(version.substr(0, version.find('.'))).value_or(0) <
        kOldestVersion) {
      stop("is Redis " + version + "; --state needs 6 or newer");
    }
    lease->ask({"HSETNX", "cp:meta", "format", std::string(kFormat)});
    lease->ask({"HSETNX", "cp:meta", "contract", fingerprint});
    const Value meta = to_value(*lease->ask({"HMGET", "cp:meta", "format", "contract"}));
    if (meta.list.at(0).text != kFormat) {
      stop("holds state of another version (format " + meta.list.at(0).text + ", this one is " +
           std::string(kFormat) + "); name another database number");
    }
    if (meta.list.at(1).text != fingerprint) {
      stop("holds state of another contract (" + meta.list.at(1).text + ", this one is " +
           fingerprint + "); name another database number, or empty it with FLUSHDB");
    }
    give_back(std::move(lease));
  } catch (const Unavailable& away) {
    stop(std::string(away.what()) + "; start Redis, or mend --state");
  }
}

}  // namespace mock_server::state::shared
