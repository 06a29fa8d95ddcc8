// cuda::counting_semaphore and cuda::binary_semaphore: the classes of C++, with a scope.
#pragma once

#include "cudasim/libcu_barrier.h"

namespace cuda {

template <thread_scope Scope = thread_scope_system, ::std::ptrdiff_t kMax = __PTRDIFF_MAX__>
class counting_semaphore {
 public:
  CUDASIM_INLINE explicit counting_semaphore(::std::ptrdiff_t count) : count_(count) {}
  counting_semaphore(const counting_semaphore&) = delete;
  counting_semaphore& operator=(const counting_semaphore&) = delete;

  static constexpr ::std::ptrdiff_t max() { return kMax; }

  CUDASIM_INLINE void release(::std::ptrdiff_t update = 1, CUDASIM_HERE) {
    const ::std::ptrdiff_t old = ::cudasim::OrderedUpdate<::cudasim::AtomicAddOp>(
        &count_, update, ::cudasim::kReleaseIn<Scope>);
    if (update < 0 || update > kMax - old) {
      cudasim_misuse("invalid_barrier", file, line, "a semaphore is released above its maximum",
                     "release as often as acquired");
    }
  }
  CUDASIM_INLINE void acquire() {
    for (;;) {
      ::std::ptrdiff_t count = ::cudasim::WaitUntil(&count_, 0, ::cudasim::IsPositive());
      if (Take(count)) return;
    }
  }
  CUDASIM_INLINE bool try_acquire() {
    ::std::ptrdiff_t count = ::cudasim::LoadToTest(&count_, 0);
    while (count > 0) {
      if (Take(count)) return true;
    }
    cudasim_pause();
    return false;
  }
  template <class Time>
  CUDASIM_INLINE bool try_acquire_for(const Time& time) {
    return ::cudasim::TestFor(time, [&] { return try_acquire(); });
  }
  template <class Time>
  CUDASIM_INLINE bool try_acquire_until(const Time& time) {
    return ::cudasim::TestUntil(time, [&] { return try_acquire(); });
  }

 private:
  // Makes the count one less if it still is `count`, which otherwise becomes what it is.
  CUDASIM_INLINE bool Take(::std::ptrdiff_t& count) {
    return ::cudasim::OrderedCompareExchange(&count_, count, count - 1,
                                             ::cudasim::kAcquireIn<Scope>);
  }

  ::std::ptrdiff_t count_;
};

template <thread_scope Scope = thread_scope_system>
using binary_semaphore = counting_semaphore<Scope, 1>;

namespace std {
template <::std::ptrdiff_t kMax = __PTRDIFF_MAX__>
using counting_semaphore = ::cuda::counting_semaphore<thread_scope_system, kMax>;
using binary_semaphore = ::cuda::binary_semaphore<thread_scope_system>;
}  // namespace std

}  // namespace cuda
