#pragma once

// The deadlines of a loop's connections: a binary heap over nodes that know their own place, so
// that moving one costs a few comparisons and no allocation. Belongs to one thread.

#include "mock_server/transport/clock.hpp"

#include <cstddef>
#include <vector>

namespace mock_server::transport {

// What has a deadline derives from this. Not copyable: the queue holds its address.
class TimerNode {
 public:
  TimerNode() = default;
  TimerNode(const TimerNode&) = delete;
  TimerNode& operator=(const TimerNode&) = delete;

  bool is_armed() const { return place_ != kNowhere; }

  // When the queue will give this node. Precondition: is_armed().
  Time due() const { return due_; }

 private:
  friend class TimerQueue;
  static constexpr std::size_t kNowhere = static_cast<std::size_t>(-1);

  Time due_{};
  std::size_t place_ = kNowhere;
};

class TimerQueue {
 public:
  // Sets or moves the node's time.
  void arm(TimerNode& node, Time due);
  void disarm(TimerNode& node);

  // The node that is due first; nullptr when none is armed.
  TimerNode* earliest() const { return heap_.empty() ? nullptr : heap_.front(); }

  std::size_t size() const { return heap_.size(); }

 private:
  void put(std::size_t place, TimerNode* node);
  void move_up(std::size_t place, TimerNode* node);
  void move_down(std::size_t place, TimerNode* node);

  std::vector<TimerNode*> heap_;
};

}  // namespace mock_server::transport
