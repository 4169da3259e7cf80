#include "mock_server/state/shared/redis.hpp"

#include "mock_server/state/cells.hpp"
#include "spec/load_error.hpp"
#include "spec/text/ascii.hpp"
#include "spec/text/random.hpp"

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

namespace mock_server::state::shared {
namespace {

using SteadyClock = std::chrono::steady_clock;

constexpr std::size_t kKeptConnections = 64;
constexpr std::chrono::seconds kMaxIdle{20};  // servers and balancers end what is idle for long
constexpr std::string_view kFormat = "3";
constexpr std::uint32_t kOldestVersion = 6;
constexpr std::string_view kNoData = "CPEMPTY";  // a script found no cp:epoch

thread_local int waits_forbidden = 0;

// The value behind `name`, which ends with a colon, in the text of INFO; "" if it is not there.
std::string value_in(const std::string& info, std::string_view name) {
  const auto at = info.find(name);
  return at == std::string::npos
             ? ""
             : info.substr(at + name.size(), info.find('\r', at) - at - name.size());
}

// The remedy for an error of Redis, or of the connection to it, at the start.
std::string remedy(std::string_view said) {
  struct Row {
    std::string_view word;
    const char* remedy;
  };

  constexpr std::array<Row, 7> kRows{{
      {"WRONGPASS", "give the right password: redis://:PASSWORD@HOST"},
      {"NOAUTH", "give its password: redis://:PASSWORD@HOST"},
      {"without any password configured", "it has none: leave the password out of --state"},
      {"DB index is out of range", "name a database that it has, for example /0"},
      {"OOM", "it is full: give it more memory (maxmemory), or empty it"},
      {"NOPERM", "allow its default user all commands on keys cp:*"},
      {"trusted", "use a host that its certificate names; SSL_CERT_FILE names who may sign it"},
  }};
  const auto* const row = std::ranges::find_if(
      kRows, [&](const Row& one) { return said.find(one.word) != std::string_view::npos; });
  return row == kRows.end() ? "start Redis, or mend --state" : row->remedy;
}

}  // namespace

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
  RedisConnection wire;
  std::array<std::string, kScripts> scripts{};  // their names at this Redis
  SteadyClock::time_point used = SteadyClock::now();

  // Throws Unavailable, also when a reply is an error.
  std::vector<Value> ask(const std::vector<Words>& commands, Deadline deadline) {
    auto values = wire.ask(commands, deadline);
    for (const Value& value : values) {
      if (value.is_error) {
        throw Unavailable(value.text);
      }
    }
    return values;
  }

  // Behind `commands`, in one go with them. Throws Unavailable.
  void load_scripts(std::vector<Words> commands, Deadline deadline) {
    const std::size_t before = commands.size();
    commands.reserve(before + kScripts);
    for (std::size_t at = 0; at < kScripts; ++at) {
      commands.push_back({"SCRIPT", "LOAD", std::string(text_of(static_cast<Script>(at)))});
    }
    auto replies = ask(commands, deadline);
    for (std::size_t at = 0; at < kScripts; ++at) {
      scripts.at(at) = std::move(replies.at(before + at).text);
    }
  }

  // The reply of the script, which is loaded again where Redis has it no more: SCRIPT FLUSH, or
  // another Redis behind the same name. Throws Unavailable.
  Value run(Script script, const Words& arguments, Deadline deadline) {
    Words words{"EVALSHA", scripts.at(static_cast<std::size_t>(script)), "0"};
    words.insert(words.end(), arguments.begin(), arguments.end());
    Value value = std::move(wire.ask({words}, deadline).front());
    if (value.is_error && value.text.starts_with("NOSCRIPT")) {  // nothing was done
      load_scripts({}, deadline);
      value = std::move(wire.ask({words}, deadline).front());
    }
    return value;
  }
};

Redis::Redis(RedisAddress address, ContractMark contract, std::chrono::milliseconds patience)
    : address_(std::move(address)), contract_(std::move(contract)), patience_(patience) {}

Redis::~Redis() = default;

Deadline Redis::deadline_from_now() const {
  return SteadyClock::now() + patience_;
}

// Throws Unavailable.
Redis::Lease Redis::connect(Deadline deadline) {
  auto made = std::make_unique<Connection>(Connection{{address_, trust_, deadline}});
  std::vector<Words> commands;
  if (!address_.password.empty()) {
    commands.push_back({"AUTH", address_.password});
  }
  commands.push_back({"SELECT", std::to_string(address_.database)});
  made->load_scripts(std::move(commands), deadline);
  return made;
}

// One that is kept, if Redis has not ended it meanwhile; else a new one.
Redis::Lease Redis::take(Deadline deadline) {
  for (Lease lease = take_idle(); lease; lease = take_idle()) {
    if (lease->wire.is_open()) {
      return lease;
    }
  }
  return connect(deadline);
}

Redis::Lease Redis::take_idle() {
  const std::lock_guard lock(mutex_);
  if (!idle_.empty() && idle_.back()->used + kMaxIdle < SteadyClock::now()) {
    idle_.clear();  // the last one was used last
  }
  if (idle_.empty()) {
    return nullptr;
  }
  Lease lease = std::move(idle_.back());
  idle_.pop_back();
  return lease;
}

void Redis::give_back(Lease lease) {
  lease->used = SteadyClock::now();
  const std::lock_guard lock(mutex_);
  if (idle_.size() < kKeptConnections) {
    idle_.push_back(std::move(lease));
  }
}

// Said once, until it can be used again.
void Redis::note_problem(const std::string& sentence, bool is_down) {
  bool is_new = false;
  {
    const std::lock_guard lock(mutex_);
    is_new = problem_.empty();
    problem_ = sentence;
    if (is_down) {
      idle_.clear();
    }
  }
  if (is_down_.exchange(is_down) != is_down || is_new) {
    note("state: " + sentence + "; requests that need it are 503 until it can be used again");
  }
}

void Redis::note_loss() {
  ++losses_;
  note("state: " + address_.text() +
       " came back with older data, or empty; what was acknowledged since is lost");
}

void Redis::on_change(std::function<void(const std::string&)> note) {
  const std::lock_guard lock(mutex_);
  note_ = std::move(note);
}

void Redis::note(const std::string& line) const {
  const std::lock_guard lock(mutex_);
  if (note_) {
    note_(line);
  }
}

std::string Redis::problem() const {
  const std::lock_guard lock(mutex_);
  return problem_;
}

// Throws Unavailable with the bare reason.
Value Redis::ask(Script script, const Words& arguments) {
  const Deadline deadline = deadline_from_now();
  Lease lease = take(deadline);
  Value value = lease->run(script, arguments, deadline);
  if (value.is_error && value.text.find(kNoData) != std::string::npos) {
    if (const std::string problem = problem_of_data(*lease, deadline); !problem.empty()) {
      throw Unavailable(problem);
    }
    value = lease->run(script, arguments, deadline);
  }
  const bool is_full = value.is_error && value.text.find("OOM") != std::string::npos;
  if (value.is_error && !is_full) {
    throw Unavailable(value.text);
  }
  give_back(std::move(lease));
  if (is_full) {
    throw OutOfRoom("the shared state is full: the Redis at " + address_.text() +
                    " has no memory left; give it more (maxmemory), or delete sessions");
  }
  return value;
}

// Keeps what went wrong, and that nothing does any more.
template <typename Work>
auto Redis::attempt(Work work) {
  try {
    return work();
  } catch (const OutOfRoom& full) {
    note_problem(full.what(), false);
    throw;
  } catch (const Unavailable& away) {
    const std::string sentence =
        "the state at " + address_.text() + " cannot be used: " + away.what();
    note_problem(sentence, true);
    throw Unavailable(sentence);
  }
}

Value Redis::run(Script script, const Words& arguments) {
  if (!may_wait()) {
    throw Unavailable("the shared state cannot be asked here");
  }
  if (is_down()) {
    throw Unavailable(problem());
  }
  return attempt([&] { return ask(script, arguments); });
}

// A server that replies may still take no changes: after a problem, it must.
void Redis::probe() noexcept {
  try {
    if (problem().empty()) {
      attempt([this] {
        const Deadline deadline = deadline_from_now();
        Lease lease = take(deadline);
        lease->ask({{"PING"}}, deadline);
        give_back(std::move(lease));
      });
      return;
    }
    attempt([this] { ask(Script::kIds, {"0"}); });
    {
      const std::lock_guard lock(mutex_);
      problem_.clear();
    }
    is_down_.store(false);
    note("state: " + address_.text() + " can be used again");
  } catch (...) {  // it is noted; without memory it is asked again soon
  }
}

// Notes format and contract where there are none. Returns what is wrong with those that there are;
// "" if nothing is. The epoch tells this data from what was there before, or is there after all of
// it was lost.
std::string Redis::problem_of_data(Connection& connection, Deadline deadline) const {
  const auto meta = connection
                        .ask({{"HSETNX", "cp:meta", "format", std::string(kFormat)},
                              {"HSETNX", "cp:meta", "contract", contract_.title},
                              {"HSETNX", "cp:meta", "operations", contract_.operations},
                              {"SET", "cp:epoch", spec::text::random_hex(16), "NX"},
                              {"HMGET", "cp:meta", "format", "contract", "operations"}},
                             deadline)
                        .back();
  const std::string& format = meta.list.at(0).text;
  if (format != kFormat) {
    return "holds state of another version (format " + format + ", this one is " +
           std::string(kFormat) + "); name another database number";
  }
  const ContractMark kept{meta.list.at(1).text, "", meta.list.at(2).text};
  if (const std::string problem = contract_problem(kept, contract_); !problem.empty()) {
    return "has the state of " + problem +
           "; name another database number, or empty it with FLUSHDB";
  }
  return "";
}

void Redis::check(bool may_evict) {
  const auto stop = [this](const std::string& problem) {
    throw spec::LoadError(address_.text(), problem);
  };
  try {
    const Deadline deadline = deadline_from_now();
    RedisConnection wire(address_, trust_, deadline);
    Lease first = std::make_unique<Connection>(Connection{std::move(wire)});
    std::vector<Words> commands;
    if (!address_.password.empty()) {
      commands.push_back({"AUTH", address_.password});
    }
    commands.push_back({"INFO", "server"});
    const std::string version =
        value_in(first->ask(commands, deadline).back().text, "redis_version:");
    if (spec::text::parse_number<std::uint32_t>(version.substr(0, version.find('.'))).value_or(0) <
        kOldestVersion) {
      stop("is Redis " + (version.empty() ? "of an unknown version" : version) +
           "; --state needs 6 or newer");
    }
    const std::string memory = first->ask({{"INFO", "memory"}}, deadline).front().text;
    const std::string policy = value_in(memory, "maxmemory_policy:");
    if (policy.starts_with("allkeys") && value_in(memory, "maxmemory:") != "0") {
      eviction_ = policy;
    }
    if (!eviction_.empty() && !may_evict) {
      stop("drops records that were acknowledged when it is full (maxmemory-policy " + policy +
           "); set maxmemory-policy noeviction, name another Redis, or allow it with "
           "--allow-eviction");
    }
    Lease lease = connect(deadline_from_now());
    if (const std::string problem = problem_of_data(*lease, deadline_from_now());
        !problem.empty()) {
      stop(problem);
    }
    give_back(std::move(lease));
  } catch (const Unavailable& away) {
    stop(std::string(away.what()) + "; " + remedy(away.what()));
  }
}

}  // namespace mock_server::state::shared
