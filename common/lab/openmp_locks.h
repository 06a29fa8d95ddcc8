#pragma once

// Shows ThreadSanitizer in which order the locks of OpenMP are taken: omp_lock_t, omp_nest_lock_t
// and critical sections. Archer tells what happens before what; ThreadSanitizer finds locks that
// are taken in both orders only among those that it knows as mutexes.
//
// A lock is announced before the thread waits for it: so both orders are known also where the two
// threads meet, and wait for each other forever. It is announced as a lock for readers, which many
// threads may hold and which orders nothing: happens-before stays Archer's.

#if defined(__has_feature)
#if __has_feature(thread_sanitizer)

#include <dlfcn.h>
#include <sanitizer/tsan_interface.h>

#include <cstdint>

namespace lab {

// The runtime's own function of this name, which the one that asks stands before.
template <typename F>
F* NextFunction(const char* name) {
  return reinterpret_cast<F*>(dlsym(RTLD_NEXT, name));
}

// The memory of a lock is the lock: nobody has to announce that it was initialised.
inline constexpr unsigned kAnnounced = __tsan_mutex_linker_init | __tsan_mutex_read_lock;

inline void AnnounceLock(void* lock, unsigned flags = kAnnounced) {
  __tsan_mutex_pre_lock(lock, flags);
  __tsan_mutex_post_lock(lock, flags, 1);
}

// Whether a lock that does not wait was got.
inline int AnnounceIf(int got, void* lock) {
  if (got != 0) AnnounceLock(lock, kAnnounced | __tsan_mutex_try_lock);
  return got;
}

// Before the lock is released: then another thread may destroy it.
inline void AnnounceUnlock(void* lock) {
  __tsan_mutex_pre_unlock(lock, kAnnounced);
  __tsan_mutex_post_unlock(lock, kAnnounced);
}

}  // namespace lab

#define LAB_BEFORE_OPENMP(result) \
  extern "C" inline __attribute__((used, visibility("default"))) result

LAB_BEFORE_OPENMP(void) omp_set_lock(void* lock) {
  static const auto next = lab::NextFunction<void(void*)>("omp_set_lock");
  lab::AnnounceLock(lock);
  next(lock);
}

LAB_BEFORE_OPENMP(void) omp_unset_lock(void* lock) {
  static const auto next = lab::NextFunction<void(void*)>("omp_unset_lock");
  lab::AnnounceUnlock(lock);
  next(lock);
}

LAB_BEFORE_OPENMP(int) omp_test_lock(void* lock) {
  static const auto next = lab::NextFunction<int(void*)>("omp_test_lock");
  return lab::AnnounceIf(next(lock), lock);
}

LAB_BEFORE_OPENMP(void) omp_destroy_lock(void* lock) {
  static const auto next = lab::NextFunction<void(void*)>("omp_destroy_lock");
  __tsan_mutex_destroy(lock, lab::kAnnounced);
  next(lock);
}

LAB_BEFORE_OPENMP(void) omp_set_nest_lock(void* lock) {
  static const auto next = lab::NextFunction<void(void*)>("omp_set_nest_lock");
  lab::AnnounceLock(lock);
  next(lock);
}

LAB_BEFORE_OPENMP(void) omp_unset_nest_lock(void* lock) {
  static const auto next = lab::NextFunction<void(void*)>("omp_unset_nest_lock");
  lab::AnnounceUnlock(lock);
  next(lock);
}

LAB_BEFORE_OPENMP(int) omp_test_nest_lock(void* lock) {
  static const auto next = lab::NextFunction<int(void*)>("omp_test_nest_lock");
  return lab::AnnounceIf(next(lock), lock);
}

LAB_BEFORE_OPENMP(void) omp_destroy_nest_lock(void* lock) {
  static const auto next = lab::NextFunction<void(void*)>("omp_destroy_nest_lock");
  __tsan_mutex_destroy(lock, lab::kAnnounced);
  next(lock);
}

// A critical section; `name` is what those of one name share.
LAB_BEFORE_OPENMP(void) __kmpc_critical(void* location, std::int32_t thread, void* name) {
  static const auto next = lab::NextFunction<void(void*, std::int32_t, void*)>("__kmpc_critical");
  lab::AnnounceLock(name);
  next(location, thread, name);
}

LAB_BEFORE_OPENMP(void)
__kmpc_critical_with_hint(void* location, std::int32_t thread, void* name, std::uint32_t hint) {
  using Begin = void(void*, std::int32_t, void*, std::uint32_t);
  static const auto next = lab::NextFunction<Begin>("__kmpc_critical_with_hint");
  lab::AnnounceLock(name);
  next(location, thread, name, hint);
}

LAB_BEFORE_OPENMP(void) __kmpc_end_critical(void* location, std::int32_t thread, void* name) {
  static const auto next =
      lab::NextFunction<void(void*, std::int32_t, void*)>("__kmpc_end_critical");
  lab::AnnounceUnlock(name);
  next(location, thread, name);
}

#undef LAB_BEFORE_OPENMP

#endif
#endif
