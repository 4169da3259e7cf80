#include "mock_server/state/conformance/tests/state_kinds.hpp"

#include "mock_server/state/disk/disk_state.hpp"
#include "mock_server/state/shared/shared_store.hpp"
#include "mock_server/state/shared/tests/redis_server.hpp"
#include "spec/tests/folder.hpp"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <iterator>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>

namespace mock_server::state::conformance {
namespace {

class MemoryState final : public OpenedState {
 public:
  explicit MemoryState(const OpenOptions& options)
      : store_(options.source, options.limits), journal_(options.journal_bytes) {}

  Store& store() override { return store_; }

  Journal& journal() override { return journal_; }

 private:
  Store store_;
  MemoryJournal journal_;
};

class SqliteState final : public OpenedState {
 public:
  explicit SqliteState(OpenOptions options) : options_(std::move(options)) { reopen(); }

  Store& store() override { return start_->store; }

  Journal& journal() override { return start_->journal; }

  void reopen() override {
    start_.reset();
    start_.emplace(folder_.path() / "state.db", options_);
  }

 private:
  struct Start {
    Start(const std::filesystem::path& file, const OpenOptions& options)
        : disk(file.string(), {"Conformance", "1", ""}),
          store(options.source, options.limits, disk.open_cells()),
          journal(options.journal_bytes) {
      disk.restore(store, journal);
    }

    ~Start() { disk.finish(); }

    Start(const Start&) = delete;
    Start& operator=(const Start&) = delete;
    Start(Start&&) = delete;
    Start& operator=(Start&&) = delete;

    disk::DiskState disk;
    Store store;
    MemoryJournal journal;
  };

  OpenOptions options_;
  test_support::Folder folder_;
  std::optional<Start> start_;
};

// A database of the one redis-server of this process, empty at first.
class RedisState final : public OpenedState {
 public:
  explicit RedisState(OpenOptions options)
      : options_(std::move(options)), database_(server().empty_database()) {
    start();
  }

  Store& store() override { return *store_; }

  Journal& journal() override { return *journal_; }

  void reopen() override {
    store_.reset();
    start();
  }

 private:
  static shared::testing::RedisServer& server() {
    static shared::testing::RedisServer one;
    return one;
  }

  void start() {
    store_.reset();
    journal_.reset();
    redis_ = std::make_unique<shared::Redis>(server().address(database_),
                                             ContractMark{"Conformance", "1", ""},
                                             shared::testing::kReplyPatience);
    redis_->check();
    journal_ = std::make_unique<shared::SharedJournal>(*redis_, options_.journal_bytes);
    store_ =
        std::make_unique<shared::SharedStore>(*redis_, *journal_, options_.source, options_.limits);
  }

  OpenOptions options_;
  int database_;
  std::unique_ptr<shared::Redis> redis_;
  std::unique_ptr<shared::SharedJournal> journal_;
  std::unique_ptr<shared::SharedStore> store_;
};

template <typename State>
std::unique_ptr<OpenedState> open(const OpenOptions& options) {
  return std::make_unique<State>(options);
}

}  // namespace

void PrintTo(const StateKind& kind, std::ostream* out) {
  *out << kind.name;
}

// Without redis-server that kind is not tested; a test of mock_server/state/shared says so.
const std::vector<StateKind>& state_kinds() {
  static const std::vector<StateKind> kinds = [] {
    std::vector<StateKind> all{
        {"memory", open<MemoryState>, false},
        {"sqlite", open<SqliteState>, true},
        {"redis", open<RedisState>, true},
    };
    if (!shared::testing::RedisServer::is_installed()) {
      all.pop_back();
    }
    return all;
  }();
  return kinds;
}

std::vector<StateKind> kept_kinds() {
  std::vector<StateKind> kept;
  std::ranges::copy_if(state_kinds(), std::back_inserter(kept), &StateKind::is_kept);
  return kept;
}

const StateKind& wanted_kind() {
  const char* const wanted = std::getenv("COUNTERPART_TEST_STATE");
  const std::string_view name = wanted == nullptr ? "memory" : wanted;
  const auto found = std::ranges::find(state_kinds(), name, &StateKind::name);
  if (found == state_kinds().end()) {
    throw std::runtime_error("COUNTERPART_TEST_STATE: there is no state " + std::string(name));
  }
  return *found;
}

}  // namespace mock_server::state::conformance
