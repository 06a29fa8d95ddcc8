#pragma once

// Fences, of which ThreadSanitizer knows nothing: std::atomic_thread_fence and `#pragma omp flush`
// ([atomics.fences] in the C++ standard). Signal fences order nothing between threads.
//
// One that acquires orders its thread after what was released to the objects that the thread has
// read before. One that releases orders what came before it ahead of whatever reads what its thread
// writes afterwards: a fiber keeps the thread's clock of that moment and releases it at each write.
#if defined(__has_feature)
#if __has_feature(thread_sanitizer)
#include <sanitizer/tsan_interface.h>

#include <atomic>
#include <cstddef>
#include <cstdint>

#include "common/lab/race_checker/called_by_name.h"
#include "common/lab/race_checker/pauses.h"

extern "C" void __tsan_acquire(void* object);
extern "C" void __tsan_release(void* object);

namespace lab {

// What this thread has read since it last acquired. Of those that share a place, the latest.
inline constexpr std::size_t kObjectsRead = 256;
inline constinit thread_local const volatile void* objects_read[kObjectsRead] = {};

// With this thread's clock at its last fence that released; null before.
inline constinit thread_local void* fenced = nullptr;

// As the fiber, which this neither orders after the thread nor before it.
template <void (*does)(void*)>
LAB_UNWATCHED inline void DoAsFenced(void* object) {
  void* const own = __tsan_get_current_fiber();
  __tsan_switch_to_fiber(fenced, __tsan_switch_to_fiber_no_sync);
  does(object);
  __tsan_switch_to_fiber(own, __tsan_switch_to_fiber_no_sync);
}

// Called before each atomic read and write.
LAB_UNWATCHED inline void BeforeRead(const volatile void* object) {
  const auto address = reinterpret_cast<std::uintptr_t>(object);
  objects_read[(address >> 2 ^ address >> 6) % kObjectsRead] = object;
}
LAB_UNWATCHED inline void BeforeWrite(const volatile void* object) {
  if (fenced != nullptr) DoAsFenced<__tsan_release>(const_cast<void*>(object));
}

LAB_UNWATCHED inline void Acquire() {
  for (const volatile void*& object : objects_read) {
    if (object != nullptr) __tsan_acquire(const_cast<void*>(object));
    object = nullptr;
  }
}

LAB_UNWATCHED inline void Release() {
  struct Ends {
    LAB_UNWATCHED ~Ends() {
      __tsan_destroy_fiber(fenced);
      fenced = nullptr;
    }
  };
  if (fenced == nullptr) {
    thread_local const Ends ends;
    fenced = __tsan_create_fiber(0);
  }
  __tsan_release(&fenced);
  DoAsFenced<__tsan_acquire>(&fenced);
}

LAB_UNWATCHED inline void Fence(int order) {
  if (order != __ATOMIC_RELAXED && order != __ATOMIC_RELEASE) Acquire();
  if (order >= __ATOMIC_RELEASE) Release();
}

}  // namespace lab

// Called for `#pragma omp flush`.
LAB_CALLED_BY_NAME void __kmpc_flush(void*) { std::atomic_thread_fence(std::memory_order_seq_cst); }

#endif
#endif
