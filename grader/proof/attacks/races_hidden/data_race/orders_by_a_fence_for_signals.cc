// Hostile: passes a counter on by relaxed atomics and fences for signals, which order nothing
// between threads.
#include <omp.h>

#include <atomic>

unsigned counted;  // by one thread at a time
std::atomic<int> next;

void Count() {
  if (next.load(std::memory_order_relaxed) != omp_get_thread_num()) return;
  std::atomic_signal_fence(std::memory_order_seq_cst);
  ++counted;
  std::atomic_signal_fence(std::memory_order_seq_cst);
  next.store((omp_get_thread_num() + 1) % omp_get_num_threads(), std::memory_order_relaxed);
}
