#include "mock_server/transport/timers.hpp"

namespace mock_server::transport {

TimerNode::~TimerNode() {
  retire();
}

void TimerNode::retire() {
  is_retired_ = true;
  if (queue_ != nullptr) {
    queue_->disarm(*this);
  }
}

TimerQueue::~TimerQueue() {
  for (TimerNode* node : heap_) {
    node->queue_ = nullptr;
  }
}

void TimerQueue::put(std::size_t place, TimerNode* node) {
  heap_[place] = node;
  node->place_ = place;
}

void TimerQueue::move_up(std::size_t place, TimerNode* node) {
  while (place > 0) {
    const std::size_t parent = (place - 1) / 2;
    if (heap_[parent]->due_ <= node->due_) {
      break;
    }
    put(place, heap_[parent]);
    place = parent;
  }
  put(place, node);
}

void TimerQueue::move_down(std::size_t place, TimerNode* node) {
  for (;;) {
    std::size_t child = 2 * place + 1;
    if (child >= heap_.size()) {
      break;
    }
    if (child + 1 < heap_.size() && heap_[child + 1]->due_ < heap_[child]->due_) {
      ++child;
    }
    if (node->due_ <= heap_[child]->due_) {
      break;
    }
    put(place, heap_[child]);
    place = child;
  }
  put(place, node);
}

void TimerQueue::arm(TimerNode& node, Time due) {
  if (node.is_retired_) {
    return;
  }
  if (!node.is_armed()) {
    heap_.push_back(&node);
    node.due_ = due;
    node.queue_ = this;
    move_up(heap_.size() - 1, &node);
    return;
  }
  const bool earlier = due < node.due_;
  node.due_ = due;
  if (earlier) {
    move_up(node.place_, &node);
  } else {
    move_down(node.place_, &node);
  }
}

void TimerQueue::disarm(TimerNode& node) {
  if (!node.is_armed()) {
    return;
  }
  const std::size_t place = node.place_;
  node.queue_ = nullptr;
  TimerNode* last = heap_.back();
  heap_.pop_back();
  if (last == &node) {
    return;
  }
  put(place, last);
  move_up(place, last);
  move_down(last->place_, last);
}

}  // namespace mock_server::transport
