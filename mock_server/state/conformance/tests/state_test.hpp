#pragma once

// A test of every kind of state: each starts with nothing in it.

#include "mock_server/state/conformance/tests/state_kinds.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

namespace mock_server::state::conformance {

class StateTest : public ::testing::TestWithParam<StateKind> {
 protected:
  void open(StoreLimits limits = {}, std::size_t journal_bytes = MemoryJournal::kDefaultBytes) {
    state_ = GetParam().open({[this] { return now_; }, limits, journal_bytes});
  }

  void SetUp() override { open(); }

  Store& store() { return state_->store(); }

  Journal& journal() { return state_->journal(); }

  void reopen() { state_->reopen(); }

  std::shared_ptr<Session> session(std::string_view name = "a") { return store().session(name); }

  // "(nothing)" where there is no such cell.
  static std::string text_at(const Session& session, std::string_view key) {
    const Cell cell = session.read(key);
    return cell ? *cell.text : "(nothing)";
  }

  // Changes the cell, whatever it was.
  static Put set(Session& session, std::string_view key, std::string text) {
    return session.compare_and_set(key, session.read(key).version, std::move(text));
  }

  TimePoint now_{std::chrono::seconds(1'767'225'600)};  // what the machine's clock shows

 private:
  std::unique_ptr<OpenedState> state_;
};

}  // namespace mock_server::state::conformance
