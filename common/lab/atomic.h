#pragma once

// lab::Atomic<T>: std::atomic<T> under adverse schedules.
//
// It has std::atomic's members, with the same orders and the same meaning, and makes happen what
// the standard allows and a machine rarely does:
//
//  - compare_exchange_weak() fails spuriously at half of a thread's first calls. On x86-64 it never
//    does by itself; on ARM and POWER it does.
//  - Before half of a thread's first operations other threads run for a moment. So what
//    happens between two operations that belong together is seen by others.
//
// Both only among the first operations of each thread, so that long calls keep their speed. Both
// add nothing to happens-before, which is what the operations' own orders give. It counts
// writes (relax.h) and remembers the cache line of a thread's last one. The idea is that of model
// checkers for atomics: Relacy by Vyukov, CDSChecker by Norris and Demsky (OOPSLA 2013).

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "common/lab/quiescence.h"
#include "common/lab/relax.h"

namespace lab {

inline constexpr std::size_t kCacheLine = 64;

namespace internal {

inline constexpr unsigned kMostNaps = 16;
inline constexpr unsigned kMostSpuriousFailures = 64;

struct Adversity {
  // Threads that run the same code begin differently.
  unsigned operations = static_cast<unsigned>(syscall(SYS_gettid)) % 8;
  unsigned weak_exchanges = 0;
  std::uintptr_t line = 0;
};

inline Adversity& OwnAdversity() {
  thread_local Adversity adversity;
  return adversity;
}

inline void BeforeRead() {
  if (IsTurn(OwnAdversity().operations, kMostNaps)) Nap();
}

inline void BeforeWrite(const void* address) {
  BeforeRead();
  ++OwnTally().writes;
  OwnAdversity().line = reinterpret_cast<std::uintptr_t>(address) / kCacheLine;
}

inline constexpr std::memory_order FailureOrder(std::memory_order success) {
  if (success == std::memory_order_acq_rel) return std::memory_order_acquire;
  if (success == std::memory_order_release) return std::memory_order_relaxed;
  return success;
}

}  // namespace internal

// The number of the cache line that the calling thread's last write to a lab::Atomic was to.
inline std::uint64_t LastWrittenLine() { return internal::OwnAdversity().line; }

// See std::atomic for what each member does. T: an integer, bool, a pointer or an enumeration.
template <typename T>
class Atomic {
 public:
  using value_type = T;
  static_assert(std::is_scalar_v<T> && !std::is_floating_point_v<T>,
                "lab::Atomic holds an integer, a bool, a pointer or an enumeration");

  constexpr Atomic() = default;
  constexpr Atomic(T value) : value_(value) {}  // NOLINT: std::atomic converts, too
  Atomic(const Atomic&) = delete;
  Atomic& operator=(const Atomic&) = delete;

  T load(std::memory_order order = std::memory_order_seq_cst) const {
    internal::BeforeRead();
    return value_.load(order);
  }
  void store(T value, std::memory_order order = std::memory_order_seq_cst) {
    internal::BeforeWrite(this);
    value_.store(value, order);
  }
  T exchange(T value, std::memory_order order = std::memory_order_seq_cst) {
    internal::BeforeWrite(this);
    return value_.exchange(value, order);
  }

  bool compare_exchange_weak(T& expected, T desired, std::memory_order success,
                             std::memory_order failure) {
    internal::BeforeWrite(this);
    if (internal::IsTurn(internal::OwnAdversity().weak_exchanges,
                         internal::kMostSpuriousFailures)) {
      expected = value_.load(failure);
      return false;
    }
    return value_.compare_exchange_weak(expected, desired, success, failure);
  }
  bool compare_exchange_weak(T& expected, T desired,
                             std::memory_order order = std::memory_order_seq_cst) {
    return compare_exchange_weak(expected, desired, order, internal::FailureOrder(order));
  }
  bool compare_exchange_strong(T& expected, T desired, std::memory_order success,
                               std::memory_order failure) {
    internal::BeforeWrite(this);
    return value_.compare_exchange_strong(expected, desired, success, failure);
  }
  bool compare_exchange_strong(T& expected, T desired,
                               std::memory_order order = std::memory_order_seq_cst) {
    return compare_exchange_strong(expected, desired, order, internal::FailureOrder(order));
  }

  T fetch_add(T value, std::memory_order order = std::memory_order_seq_cst) requires(
      std::is_integral_v<T> && !std::is_same_v<T, bool>) {
    internal::BeforeWrite(this);
    return value_.fetch_add(value, order);
  }
  T fetch_sub(T value, std::memory_order order = std::memory_order_seq_cst) requires(
      std::is_integral_v<T> && !std::is_same_v<T, bool>) {
    internal::BeforeWrite(this);
    return value_.fetch_sub(value, order);
  }

  operator T() const { return load(); }  // NOLINT: as std::atomic
  T operator=(T value) {                 // NOLINT: as std::atomic, returns the value
    store(value);
    return value;
  }
  T operator++() requires(std::is_integral_v<T> && !std::is_same_v<T, bool>) {
    return static_cast<T>(fetch_add(1) + 1);
  }
  T operator++(int) requires(std::is_integral_v<T> && !std::is_same_v<T, bool>) {
    return fetch_add(1);
  }
  T operator+=(T value) requires(std::is_integral_v<T> && !std::is_same_v<T, bool>) {
    return static_cast<T>(fetch_add(value) + value);
  }

 private:
  std::atomic<T> value_{};
};

}  // namespace lab
