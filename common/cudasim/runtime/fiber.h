// Fibers: stacks that carry CUDA threads, and the switch between them.
//
// A fiber belongs to one OS thread for good.  It runs the threads of a block one after another;
// when one of them waits, it keeps the stack and another fiber goes on with the rest.
#pragma once

#include <cstddef>

#include "common/cudasim/include/cuda_runtime.h"

namespace cudasim {

struct Block;
struct CheckedThread;

// A place in the source; `file` lives as long as the program.
struct Site {
  const char* file = nullptr;
  int line = 0;
};

struct Fiber {
  void* stack_pointer = nullptr;  // while suspended
  Fiber* next = nullptr;          // in the one queue or pool that holds it
  uint3 thread_index{};           // of the suspended thread
  Site site;                      // where it waits
  char* stack_low = nullptr;
  char* stack_high = nullptr;
  CheckedThread* checked = nullptr;  // check mode's notes on the thread it carries
};

// First in, first out; a fiber is in at most one queue.
class FiberQueue {
 public:
  void Push(Fiber* fiber) {
    fiber->next = nullptr;
    *tail_ = fiber;
    tail_ = &fiber->next;
  }
  Fiber* Pop() {
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

using FiberEntry = void (*)();

// A new fiber that will run `entry`, which must never return.  Its stack has a guard page at its
// low end.  Aborts the process with a message when there is no memory for another stack.
Fiber* NewFiber(FiberEntry entry);

// Makes a suspended fiber start over at `entry`, forgetting what was on its stack.
void ResetFiber(Fiber* fiber, FiberEntry entry);

// Saves the running context in *save and continues `to`.
extern "C" void cudasim_switch(void** save, void* to);

// True if the address lies in any fiber's stack region, guard pages included.
bool IsFiberStack(const void* address);

}  // namespace cudasim
