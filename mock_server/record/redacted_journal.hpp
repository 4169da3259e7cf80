#pragma once

// What a mock before a real service keeps and shows of its exchanges, in journal, log and events:
// secrets are replaced like in what a recording writes. Safe from any thread.

#include "mock_server/fixtures/loaded_api.hpp"
#include "mock_server/record/redactor.hpp"
#include "mock_server/state/journal.hpp"

#include <cstddef>
#include <limits>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>

namespace mock_server::record {

struct RedactionLimits {
  std::size_t known = std::numeric_limits<std::size_t>::max();       // secrets; then it begins anew
  std::size_t body_bytes = std::numeric_limits<std::size_t>::max();  // longer ones are not shown
};

// Where nothing is recorded: a longer body would keep all others waiting.
inline constexpr RedactionLimits kPassing{.known = 20'000, .body_bytes = std::size_t{64} * 1024};

// Secrets are known from the exchanges themselves.
class Redaction {
 public:
  Redaction(std::shared_ptr<const fixtures::LoadedApi> api, Key key, RedactionOptions options,
            const RedactionLimits& limits);

  // From now on by the contract of `api`; what is known as a secret stays one.
  void use(std::shared_ptr<const fixtures::LoadedApi> api);

  struct Shown {
    spec::har::Call call;      // always has a response
    std::uint64_t generation;  // of the secrets that were known
  };

  // Without bodies if they cannot be redacted; method and status alone if nothing can be.
  Shown shown(const spec::http::Request& request, const spec::http::Response& response);
  // The text with secrets replaced.
  std::string text(std::string_view value) const;
  // Replaces what became known as a secret since the entry was redacted.
  void replace_late(state::Entry& entry) const;

  // The redactor and what it is for; others wait as long as this lives.
  struct Use {
    std::unique_lock<std::mutex> lock;
    Redactor& redactor;
    const fixtures::LoadedApi& api;
  };

  Use use();

 private:
  std::uint64_t generation() const { return forgotten_ + redactor_->known(); }

  const RedactionOptions options_;
  const RedactionLimits limits_;
  mutable std::mutex mutex_;  // of the next three
  std::shared_ptr<const fixtures::LoadedApi> api_;
  std::unique_ptr<Redactor> redactor_;
  std::uint64_t forgotten_ = 1;  // secrets, and one for each time it began anew
};

class RedactedJournal : public state::Journal {
 public:
  // Both must outlive it.
  RedactedJournal(state::Journal& inner, Redaction& redaction)
      : inner_(inner), redaction_(redaction) {}

  // Of an exchange that cannot be redacted, method and status remain.
  void add(const state::Exchange& exchange) override;

  std::uint64_t next_id() override { return inner_.next_id(); }

  std::uint64_t last_id() const override { return inner_.last_id(); }

  // Entries are shown without secrets that became known later, too.
  std::optional<state::Entry> find(std::uint64_t session, std::uint64_t id) const override;

  state::JournalMark mark(std::optional<std::uint64_t> session,
                          std::optional<std::uint64_t> after) const override {
    return inner_.mark(session, after);
  }

  std::uint64_t follow(std::optional<std::uint64_t> session, state::JournalMark& mark,
                       const std::function<bool(state::Entry&)>& visit) const override;

  state::JournalWindow window(std::uint64_t session) const override {
    return inner_.window(session);
  }

  void clear(std::uint64_t session) override { inner_.clear(session); }

  void clear_in_part(std::uint64_t session) override { inner_.clear_in_part(session); }

  std::size_t limit_bytes() const override { return inner_.limit_bytes(); }

  std::size_t used_bytes() const override { return inner_.used_bytes(); }

 private:
  state::Journal& inner_;
  Redaction& redaction_;
};

}  // namespace mock_server::record
