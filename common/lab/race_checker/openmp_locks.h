#pragma once

// Lets ThreadSanitizer find lock-order inversions among OpenMP's locks: omp_lock_t, omp_nest_lock_t
// and critical sections. Archer tells ThreadSanitizer only what happens before what; it finds
// inversions only among locks that it knows as mutexes.
//
// A lock is announced before the thread waits for it, so that an inversion is found even where the
// threads deadlock. It is announced as a read lock, which many threads may hold and which adds
// nothing to happens-before: that is left to Archer.
//
// Around each lock threads pause as around a mutex: race_checker_pauses.h.

#if defined(__has_feature)
#if __has_feature(thread_sanitizer)

#include <sanitizer/tsan_interface.h>

#include <cstdint>

#include "common/lab/race_checker/called_by_name.h"
#include "common/lab/race_checker/next_function.h"
#include "common/lab/race_checker/pauses.h"

// Of the calling function, which is one of those below.
#define LAB_INLINE __attribute__((always_inline)) inline

namespace lab {

// A lock's initialisation need not be announced.
inline constexpr unsigned kAnnounced = __tsan_mutex_linker_init | __tsan_mutex_read_lock;

LAB_INLINE void AnnounceLock(void* lock, bool nests = false) {
  BeforeLock(lock, nests, held == 0 && LAB_IS_DUE(before_locks), __builtin_frame_address(0));
  __tsan_mutex_pre_lock(lock, kAnnounced);
  __tsan_mutex_post_lock(lock, kAnnounced, 1);
}

// Announces the lock if an attempt to take it without waiting succeeded; returns `got`.
LAB_INLINE int AnnounceIf(int got, void* lock) {
  if (got == 0) return got;
  AddHeld(lock, CallersOf(__builtin_frame_address(0)));
  __tsan_mutex_pre_lock(lock, kAnnounced | __tsan_mutex_try_lock);
  __tsan_mutex_post_lock(lock, kAnnounced | __tsan_mutex_try_lock, 1);
  return got;
}

// Called before the lock is released: afterwards another thread may destroy it.
LAB_INLINE void AnnounceUnlock(void* lock) {
  DropHeld(lock);
  BeforeUnlock(lock, __builtin_frame_address(0));
  if (LAB_IS_DUE(before_unlocks)) before_unlocks.Pause();
  __tsan_mutex_pre_unlock(lock, kAnnounced);
  __tsan_mutex_post_unlock(lock, kAnnounced);
}

// Who has taken the locks whose addresses fall to a place.
inline Held takers[64] = {};

// Waits for a lock as omp_set_lock() does, but says after a second who has it.
LAB_UNWATCHED inline void TakeLock(void* lock, void (*set)(void*), int (*test)(void*)) {
  constexpr std::uint64_t kLong = 1'000'000'000;  // ns
  Held& taker = takers[PlaceOf(lock) % std::size(takers)];
  const Stack taken = held > 0 ? held_locks[held - 1].taken : Stack{};
  const std::uint64_t begin = Now();
  while (test(lock) == 0) {
    if (Now() - begin > kLong) {
      if (taker.lock == lock) SayBetween("WARNING: lock not released\n", taker.taken, taken);
      set(lock);
      break;
    }
    syscall(SYS_sched_yield);
  }
  taker = {lock, taken};
}

}  // namespace lab

LAB_CALLED_BY_NAME void omp_set_lock(void* lock) {
  const auto next = lab::NextFunction<"omp_set_lock", void(void*)>::Get();
  const auto test = lab::NextFunction<"omp_test_lock", int(void*)>::Get();
  lab::AnnounceLock(lock);
  lab::TakeLock(lock, next, test);
}

LAB_CALLED_BY_NAME void omp_unset_lock(void* lock) {
  const auto next = lab::NextFunction<"omp_unset_lock", void(void*)>::Get();
  lab::AnnounceUnlock(lock);
  next(lock);
}

LAB_CALLED_BY_NAME int omp_test_lock(void* lock) {
  const auto next = lab::NextFunction<"omp_test_lock", int(void*)>::Get();
  return lab::AnnounceIf(next(lock), lock);
}

LAB_CALLED_BY_NAME void omp_destroy_lock(void* lock) {
  const auto next = lab::NextFunction<"omp_destroy_lock", void(void*)>::Get();
  __tsan_mutex_destroy(lock, lab::kAnnounced);
  next(lock);
}

LAB_CALLED_BY_NAME void omp_set_nest_lock(void* lock) {
  const auto next = lab::NextFunction<"omp_set_nest_lock", void(void*)>::Get();
  lab::AnnounceLock(lock, true);
  next(lock);
}

LAB_CALLED_BY_NAME void omp_unset_nest_lock(void* lock) {
  const auto next = lab::NextFunction<"omp_unset_nest_lock", void(void*)>::Get();
  lab::AnnounceUnlock(lock);
  next(lock);
}

LAB_CALLED_BY_NAME int omp_test_nest_lock(void* lock) {
  const auto next = lab::NextFunction<"omp_test_nest_lock", int(void*)>::Get();
  return lab::AnnounceIf(next(lock), lock);
}

LAB_CALLED_BY_NAME void omp_destroy_nest_lock(void* lock) {
  const auto next = lab::NextFunction<"omp_destroy_nest_lock", void(void*)>::Get();
  __tsan_mutex_destroy(lock, lab::kAnnounced);
  next(lock);
}

// Critical sections of the same name share `name`.
LAB_CALLED_BY_NAME void __kmpc_critical(void* location, std::int32_t thread, void* name) {
  const auto next = lab::NextFunction<"__kmpc_critical", void(void*, std::int32_t, void*)>::Get();
  lab::AnnounceLock(name);
  next(location, thread, name);
}

LAB_CALLED_BY_NAME void __kmpc_critical_with_hint(void* location, std::int32_t thread, void* name,
                                                  std::uint32_t hint) {
  using Begin = void(void*, std::int32_t, void*, std::uint32_t);
  const auto next = lab::NextFunction<"__kmpc_critical_with_hint", Begin>::Get();
  lab::AnnounceLock(name);
  next(location, thread, name, hint);
}

LAB_CALLED_BY_NAME void __kmpc_end_critical(void* location, std::int32_t thread, void* name) {
  const auto next =
      lab::NextFunction<"__kmpc_end_critical", void(void*, std::int32_t, void*)>::Get();
  lab::AnnounceUnlock(name);
  next(location, thread, name);
}

#endif
#endif
