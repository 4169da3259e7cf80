#pragma once

// The deadlines of a loop's connections: a binary heap over nodes that know their own place, so
// that moving one costs a few comparisons and no allocation. Belongs to one thread.

#include "mock_server/transport/clock.hpp"

#include <cstddef>
#include <vector>

namespace mock_server::transport {

class TimerQueue;

// What has a deadline derives from this. Not copyable: the queue holds its address. It leaves its
// queue when it is destroyed.
class TimerNode {
 public:
  TimerNode() = default;
  ~TimerNode();
  TimerNode(const TimerNode&) = delete;
  TimerNode& operator=(const TimerNode&) = delete;

  bool is_armed() const { return queue_ != nullptr; }

  // Leaves its queue for good: arming it has no effect from now on.
  void retire();

  // When the queue will give this node. Precondition: is_armed().
  Time due() const { return due_; }

 private:
  friend class TimerQueue;

  Time due_{};
  TimerQueue* queue_ = nullptr;  // where it is armed
  std::size_t place_ = 0;        // in the queue
  bool is_retired_ = false;
};

class TimerQueue {
 public:
  TimerQueue() = default;
  // Disarms what is armed.
  ~TimerQueue();
  TimerQueue(const TimerQueue&) = delete;
  TimerQueue& operator=(const TimerQueue&) = delete;

  // Sets or moves the time of the node, which is in no other queue. Throws std::bad_alloc.
  void arm(TimerNode& node, Time due);
  void disarm(TimerNode& node);

  // Room for so many: arming them does not throw. Throws std::bad_alloc.
  void make_place(std::size_t count) {
    if (heap_.capacity() < count) {
      heap_.reserve(2 * count);
    }
  }

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
