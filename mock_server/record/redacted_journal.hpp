#pragma once

// The exchanges of a mock in front of a real service, redacted in journal, log and events:
// secrets are replaced like in what a recording writes. An entry that stays in this process's
// memory is kept as it came and redacted when it is read, so that no request waits for that; what
// is secret is learned at once. Safe from any thread.

#include "mock_server/api/loaded_api.hpp"
#include "mock_server/record/redactor.hpp"
#include "mock_server/state/journal.hpp"

#include <array>
#include <cstddef>
#include <limits>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>

namespace mock_server::record {

struct RedactionLimits {
  std::size_t known = std::numeric_limits<std::size_t>::max();       // then it begins anew
  std::size_t body_bytes = std::numeric_limits<std::size_t>::max();  // longer ones are not shown
};

// Limits without a recording: a longer body would keep all others waiting.
inline constexpr RedactionLimits kPassing{.known = 20'000, .body_bytes = std::size_t{64} * 1024};

// Secrets are known from the exchanges themselves.
class Redaction {
 public:
  Redaction(std::shared_ptr<const api::LoadedApi> api, Key key, RedactionOptions options,
            const RedactionLimits& limits);

  // From now on by the contract of `api`; what is known as a secret stays one.
  void use(std::shared_ptr<const api::LoadedApi> api);

  struct RedactedCall {
    spec::har::Call call;      // always has a response
    std::uint64_t generation;  // of the secrets that were known
  };

  // Remembers the secrets of the exchange. Returns the generation of those that are known.
  std::uint64_t learn(const state::Exchange& exchange);
  // The exchange without bodies if they cannot be redacted; with method and status alone if nothing
  // can be.
  RedactedCall redacted(const state::Exchange& exchange);
  // The text with secrets replaced.
  std::string text(std::string_view value) const;
  // Before entries are shown: they are redacted with what is known now, and when they were added.
  // A caller that needs no bodies does not wait for one that redacts long ones.
  void catch_up(bool needs_bodies);
  // Redacts an entry that was kept as it came; of another, replaces what became known as a secret
  // since.
  void replace_late(state::Entry& entry, bool needs_bodies);

  std::size_t max_body_bytes() const { return limits_.body_bytes; }

  // The redactor and what it is for; others wait as long as this lives.
  struct Use {
    std::unique_lock<std::mutex> lock;
    Redactor& redactor;
    const api::LoadedApi& api;
  };

  Use use();

 private:
  // For those who read: no request waits for them.
  struct Reader {
    std::mutex mutex;  // taken before that of all
    std::shared_ptr<const api::LoadedApi> api;
    std::unique_ptr<Redactor> redactor;
    std::unique_ptr<const Redactor> before;
    std::uint64_t generation = 0;
    std::uint64_t began = 0;         // the generation in which the redactor did
    std::uint64_t before_began = 0;  // and the one before

    void redact(state::Entry& entry) const;
  };

  std::uint64_t generation() const { return began_ + redactor_->known(); }

  void begin_anew_if_full();

  Reader& reader_for(bool needs_bodies) { return readers_.at(needs_bodies ? 1 : 0); }

  void renew(Reader& reader);

  const RedactionOptions options_;
  const RedactionLimits limits_;
  std::array<Reader, 2> readers_;  // of entries without bodies, and with
  mutable std::mutex mutex_;       // of all below
  std::shared_ptr<const api::LoadedApi> api_;
  std::unique_ptr<Redactor> redactor_;
  std::unique_ptr<Redactor> before_;  // what was known before it began anew; or null
  std::uint64_t began_ = 1;           // more than any generation before it began anew
  std::uint64_t before_began_ = 1;
};

// When the entries of a journal are redacted. kRead is for one that lies in memory alone.
enum class RedactedWhen : std::uint8_t { kWritten, kRead };

class RedactedJournal : public state::Journal {
 public:
  // Both must outlive it.
  RedactedJournal(state::Journal& inner, Redaction& redaction,
                  RedactedWhen when = RedactedWhen::kWritten)
      : inner_(inner), redaction_(redaction), when_(when) {}

  // Keeps only method and status of an exchange that cannot be redacted.
  void add(const state::Exchange& exchange) override;
  void amend(const state::Exchange& exchange) override;

  std::uint64_t next_id() override { return inner_.next_id(); }

  std::uint64_t last_id() const override { return inner_.last_id(); }

  // Entries are shown without secrets that became known later, too. What redacts many of them, or a
  // long one, leaves an event loop (SearchBudget).
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
  bool may_keep(const state::Exchange& exchange) const;
  // Passes the exchange on to that function of the journal.
  void pass(const state::Exchange& exchange, void (state::Journal::*to)(const state::Exchange&));

  state::Journal& inner_;
  Redaction& redaction_;
  const RedactedWhen when_;
};

}  // namespace mock_server::record
