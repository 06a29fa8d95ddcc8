// Fibers, the stacks on which CUDA threads run: the part that code compiled with a kernel uses.
//
// A fiber belongs to one OS thread for good.  It runs the threads of a block one after another;
// when one of them waits, it keeps the stack and another fiber goes on with the rest.
#pragma once

#include "cudasim/vector_types.h"

namespace cudasim {

struct CheckedThread;
struct LaunchConfiguration;

// A place in the source; `file` lives as long as the program.
struct Site {
  const char* file = nullptr;
  int line = 0;
};

// A suspended flow of control.  To continue it, load both registers, keep the context's address in
// rsi (x86-64) or x1 (aarch64) and jump to `resume`, which assumes that all other registers are
// clobbered.
struct Context {
  void* stack_pointer = nullptr;
  void* frame_pointer = nullptr;
  const void* resume = nullptr;
};

// The members that a switch touches fill one cache line.
struct alignas(64) Fiber {
  Context context;        // while suspended; first, so that a context's address is its fiber's
  Fiber* next = nullptr;  // in the one queue or pool that holds it
  uint3 thread_index{};   // of the thread that it carries, once a thread of the block has waited
  Site site;              // where it waits
  char* stack_low = nullptr;
  char* stack_high = nullptr;
  CheckedThread* checked = nullptr;                 // check mode's state of the thread it carries
  const LaunchConfiguration* next_child = nullptr;  // the launch that its thread makes next
};

// First in, first out; a fiber is in at most one queue.
class FiberQueue {
 public:
  CUDASIM_INLINE CUDASIM_UNCHECKED void Push(Fiber* fiber) {
    fiber->next = nullptr;
    *tail_ = fiber;
    tail_ = &fiber->next;
  }
  CUDASIM_INLINE CUDASIM_UNCHECKED Fiber* Pop() {
    Fiber* first = head_;
    if (first == nullptr) return nullptr;
    head_ = first->next;
    if (head_ == nullptr) tail_ = &head_;
    return first;
  }
  // Moves all of `other` to the end of this queue.
  void Append(FiberQueue& other) {
    if (other.empty()) return;
    *tail_ = other.head_;
    tail_ = other.tail_;
    other.Clear();
  }
  // Moves all of `other` to the front of this queue.
  void Prepend(FiberQueue& other) {
    if (other.empty()) return;
    *other.tail_ = head_;
    if (head_ == nullptr) tail_ = other.tail_;
    head_ = other.head_;
    other.Clear();
  }
  void Clear() {
    head_ = nullptr;
    tail_ = &head_;
  }
  bool empty() const { return head_ == nullptr; }
  Fiber* front() const { return head_; }

  FiberQueue() = default;
  FiberQueue(const FiberQueue&) = delete;
  FiberQueue& operator=(const FiberQueue&) = delete;

 private:
  Fiber* head_ = nullptr;
  Fiber** tail_ = &head_;
};

}  // namespace cudasim
