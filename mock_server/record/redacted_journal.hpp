#pragma once

// The journal of a mock that records: what comes into it has its secrets replaced like what is
// written. Safe from any thread.

#include "mock_server/record/live.hpp"
#include "mock_server/state/journal.hpp"

namespace mock_server::record {

class RedactedJournal : public state::Journal {
 public:
  // Both must outlive it.
  RedactedJournal(state::Journal& inner, Live& live) : inner_(inner), live_(live) {}

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
  Live& live_;
};

}  // namespace mock_server::record
