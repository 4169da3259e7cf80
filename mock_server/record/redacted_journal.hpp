#pragma once

// What a mock before a real service keeps and shows of its exchanges, in journal, log and events:
// secrets are replaced like in what a recording writes. Safe from any thread.

#include "mock_server/fixtures/loaded_api.hpp"
#include "mock_server/record/redactor.hpp"
#include "mock_server/state/journal.hpp"
#include "spec/non_copyable.hpp"

#include <cstddef>
#include <limits>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>

namespace mock_server::record {

class Redaction : spec::NonCopyable {
 public:
  virtual ~Redaction() = default;

  // From now on by the contract of `api`; what is known as a secret stays one.
  virtual void use(std::shared_ptr<const fixtures::LoadedApi> api) = 0;
  // Without bodies if they cannot be redacted; method and status alone if nothing can be. Always
  // has a response.
  virtual spec::har::Call shown(const spec::http::Request& request,
                                const spec::http::Response& response) = 0;
  // The text with secrets replaced.
  virtual std::string text(std::string_view value) const = 0;
};

// Where nothing is recorded. Secrets are known from the exchanges themselves, the latest ones.
class PassingRedaction final : public Redaction {
 public:
  explicit PassingRedaction(std::shared_ptr<const fixtures::LoadedApi> api);

  void use(std::shared_ptr<const fixtures::LoadedApi> api) override;
  spec::har::Call shown(const spec::http::Request& request,
                        const spec::http::Response& response) override;
  std::string text(std::string_view value) const override;

 private:
  const Key key_;
  mutable std::mutex mutex_;  // of the next two
  std::shared_ptr<const fixtures::LoadedApi> api_;
  std::unique_ptr<Redactor> redactor_;
};

// As Redaction::shown() says, by what `redactor` knows and learns of it; without longer bodies.
spec::har::Call shown_by(Redactor& redactor, const spec::contract::Contract& contract,
                         const spec::http::Request& request, const spec::http::Response& response,
                         std::size_t max_body_bytes = std::numeric_limits<std::size_t>::max());

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
  void each(std::uint64_t session,
            const std::function<void(const state::Entry&)>& visit) const override;

  state::JournalMark mark(std::optional<std::uint64_t> session,
                          std::optional<std::uint64_t> after) const override {
    return inner_.mark(session, after);
  }

  std::uint64_t follow(std::optional<std::uint64_t> session, state::JournalMark& mark,
                       const std::function<bool(const state::Entry&)>& visit) const override;

  state::JournalWindow window(std::uint64_t session) const override {
    return inner_.window(session);
  }

  void clear(std::uint64_t session) override { inner_.clear(session); }

  void clear_in_part(std::uint64_t session) override { inner_.clear_in_part(session); }

  std::size_t limit_bytes() const override { return inner_.limit_bytes(); }

  std::size_t used_bytes() const override { return inner_.used_bytes(); }

 private:
  state::Entry shown(state::Entry entry) const;

  state::Journal& inner_;
  Redaction& redaction_;
};

}  // namespace mock_server::record
