// cuda::barrier and cuda::latch: the classes of C++, with a scope.  See "Thread coordination" in
// clause 33 (thread) of the C++ standard.
#pragma once

#include <cstddef>
#include <new>
#include <utility>

#include "cudasim/scoped_atomic.h"

namespace cudasim {

struct NoCompletion {
  CUDASIM_INLINE void operator()() const noexcept {}
};

template <::cuda::thread_scope Scope>
constexpr unsigned kReleaseIn = OrderOf(::std::memory_order_release, Scope);
template <::cuda::thread_scope Scope>
constexpr unsigned kAcquireIn = OrderOf(::std::memory_order_acquire, Scope);
template <::cuda::thread_scope Scope>
constexpr unsigned kWaitIn = kAcquireIn<Scope> | kOfPhase;
template <::cuda::thread_scope Scope>
constexpr unsigned kBothIn = OrderOf(::std::memory_order_acq_rel, Scope);

// Whether barriers have try_wait_for() and its relatives: in libcu++ only those of block scope.
template <::cuda::thread_scope Scope>
constexpr bool kHasTries = Scope == ::cuda::thread_scope_block;

// Tests `ready()` until it holds or the time has come.  True if it holds.
template <class Clock, class Duration, class Ready>
CUDASIM_INLINE bool TestUntil(const ::std::chrono::time_point<Clock, Duration>& time, Ready ready) {
  while (!ready()) {
    if (Clock::now() >= time) return false;
  }
  return true;
}
template <class Rep, class Period, class Ready>
CUDASIM_INLINE bool TestFor(const ::std::chrono::duration<Rep, Period>& time, Ready ready) {
  return TestUntil(::std::chrono::steady_clock::now() + time, ready);
}

}  // namespace cudasim

namespace cuda {

// The last thread to arrive in a phase runs `Completion`.
template <thread_scope Scope = thread_scope_system, class Completion = ::cudasim::NoCompletion>
class barrier {
 public:
  using arrival_token = ::std::uint64_t;

  barrier() = default;
  CUDASIM_INLINE barrier(::std::ptrdiff_t expected, Completion completion = {}, CUDASIM_HERE)
      : completion_(::std::move(completion)) {
    ::cudasim::InitPhases(&state_, expected, file, line);
  }
  barrier(const barrier&) = delete;
  barrier& operator=(const barrier&) = delete;

  static constexpr ::std::ptrdiff_t max() { return ::cudasim::kMaxArrivals; }

  [[nodiscard]] CUDASIM_INLINE arrival_token arrive(::std::ptrdiff_t update = 1, CUDASIM_HERE) {
    if constexpr (::std::is_same_v<Completion, ::cudasim::NoCompletion>) {
      return ::cudasim::Arrive(&state_, update, ::cudasim::kReleaseIn<Scope>, file, line);
    } else {
      const ::cudasim::PhaseState old = ::cudasim::Arrive<::cudasim::ArriveOnlyOp>(
          &state_, update, ::cudasim::kBothIn<Scope>, file, line);
      if (::cudasim::LackingArrivals(old) == static_cast<unsigned>(update)) {
        completion_();
        ::cudasim::OrderedUpdate<::cudasim::NextPhaseOp>(&state_, ::cudasim::PhaseState{1},
                                                         ::cudasim::kBothIn<Scope>);
        ::cudasim::CompletePhase(&state_);
      }
      return old;
    }
  }
  CUDASIM_INLINE void wait(arrival_token&& token) const {
    ::cudasim::WaitUntil(&state_, ::cudasim::kWaitIn<Scope>, Over(token));
  }
  CUDASIM_INLINE void wait_parity(bool parity) const {
    ::cudasim::WaitUntil(&state_, ::cudasim::kWaitIn<Scope>, ::cudasim::ParityIsOver{parity});
  }
  template <class Time>
  CUDASIM_INLINE bool try_wait_for(arrival_token&& token,
                                   const Time& time) const requires ::cudasim::kHasTries<Scope> {
    return ::cudasim::TestFor(time, [&] { return Test(Over(token)); });
  }
  template <class Time>
  CUDASIM_INLINE bool try_wait_until(arrival_token&& token,
                                     const Time& time) const requires ::cudasim::kHasTries<Scope> {
    return ::cudasim::TestUntil(time, [&] { return Test(Over(token)); });
  }
  template <class Time>
  CUDASIM_INLINE bool try_wait_parity_for(
      bool parity, const Time& time) const requires ::cudasim::kHasTries<Scope> {
    return ::cudasim::TestFor(time, [&] { return Test(::cudasim::ParityIsOver{parity}); });
  }
  template <class Time>
  CUDASIM_INLINE bool try_wait_parity_until(
      bool parity, const Time& time) const requires ::cudasim::kHasTries<Scope> {
    return ::cudasim::TestUntil(time, [&] { return Test(::cudasim::ParityIsOver{parity}); });
  }
  CUDASIM_INLINE void arrive_and_wait(CUDASIM_HERE) { wait(arrive(1, file, line)); }
  CUDASIM_INLINE void arrive_and_drop(CUDASIM_HERE) {
    ::cudasim::OrderedUpdate<::cudasim::DropOp>(&state_, ::cudasim::PhaseState{1},
                                                ::cudasim::kReleaseIn<Scope>);
    (void)arrive(1, file, line);
  }

  // For the simulator: the word that barriers of other kinds share.
  CUDASIM_INLINE ::cudasim::PhaseState* State() const { return &state_; }

  // Takes the place of a constructor for objects in shared memory.
  friend CUDASIM_INLINE void init(barrier* object, ::std::ptrdiff_t expected,
                                  Completion completion = {}, CUDASIM_HERE) {
    ::cudasim::InitPhases(&object->state_, expected, file, line);
    if constexpr (!::std::is_empty_v<Completion>) {
      ::new (static_cast<void*>(&object->completion_)) Completion(::std::move(completion));
    }
  }

 private:
  static CUDASIM_INLINE ::cudasim::PhaseIsOver Over(arrival_token token) {
    return {::cudasim::PhaseOf(token)};
  }
  template <class Condition>
  CUDASIM_INLINE bool Test(Condition condition) const {
    return ::cudasim::Test(&state_, ::cudasim::kWaitIn<Scope>, condition);
  }

  mutable ::cudasim::PhaseState state_;
  [[no_unique_address]] Completion completion_;
};

namespace device {
template <class Completion>
CUDASIM_INLINE ::std::uint64_t* barrier_native_handle(
    barrier<thread_scope_block, Completion>& object) {
  return object.State();
}
}  // namespace device

template <thread_scope Scope = thread_scope_system>
class latch {
 public:
  CUDASIM_INLINE explicit latch(::std::ptrdiff_t expected) : count_(expected) {}
  latch(const latch&) = delete;
  latch& operator=(const latch&) = delete;

  static constexpr ::std::ptrdiff_t max() { return __PTRDIFF_MAX__; }

  CUDASIM_INLINE void count_down(::std::ptrdiff_t update = 1, CUDASIM_HERE) {
    const ::std::ptrdiff_t old = ::cudasim::OrderedUpdate<::cudasim::AtomicSubOp>(
        &count_, update, ::cudasim::kReleaseIn<Scope>);
    if (update < 0 || old < update) {
      cudasim_misuse("invalid_barrier", file, line, "a latch is counted down below zero",
                     "its count must be that of all arrivals: a latch serves once");
    }
  }
  CUDASIM_INLINE bool try_wait() const {
    return ::cudasim::Test(&count_, ::cudasim::kAcquireIn<Scope>, ::cudasim::IsZero());
  }
  CUDASIM_INLINE void wait() const {
    ::cudasim::WaitUntil(&count_, ::cudasim::kAcquireIn<Scope>, ::cudasim::IsZero());
  }
  CUDASIM_INLINE void arrive_and_wait(::std::ptrdiff_t update = 1, CUDASIM_HERE) {
    count_down(update, file, line);
    wait();
  }

 private:
  mutable ::std::ptrdiff_t count_;
};

namespace std {
template <class Completion = ::cudasim::NoCompletion>
using barrier = ::cuda::barrier<thread_scope_system, Completion>;
using latch = ::cuda::latch<thread_scope_system>;
}  // namespace std

}  // namespace cuda
