#pragma once

// What clang calls for `#pragma omp atomic` on a long double and for a reduction of one, where g++
// calls its OpenMP runtime: atomic accesses to objects of any size, as in
// https://gcc.gnu.org/wiki/Atomic/GCCMM/LIbrary. Else a program that runs with g++ would not link.
//
// Stronger than asked for: one lock makes each access a whole and orders all of them, as an
// unnamed critical section does.
#if defined(__clang__)
#include <cstddef>
#include <cstring>
#include <mutex>

#include "common/lab/race_checker/called_by_name.h"

namespace lab {

inline std::mutex atomic_objects;

}  // namespace lab

extern "C" {

// clang lets nobody define these names.
void LoadAtomically(std::size_t size, const void* object, void* value,
                    int order) __asm__("__atomic_load");
void StoreAtomically(std::size_t size, void* object, const void* value,
                     int order) __asm__("__atomic_store");
void ExchangeAtomically(std::size_t size, void* object, const void* value, void* old,
                        int order) __asm__("__atomic_exchange");
bool CompareAndExchangeAtomically(std::size_t size, void* object, void* expected,
                                  const void* desired, int success,
                                  int failure) __asm__("__atomic_compare_exchange");

}  // extern "C"

LAB_CALLED_BY_NAME void LoadAtomically(std::size_t size, const void* object, void* value, int) {
  const std::lock_guard lock(lab::atomic_objects);
  std::memcpy(value, object, size);
}

LAB_CALLED_BY_NAME void StoreAtomically(std::size_t size, void* object, const void* value, int) {
  const std::lock_guard lock(lab::atomic_objects);
  std::memcpy(object, value, size);
}

LAB_CALLED_BY_NAME void ExchangeAtomically(std::size_t size, void* object, const void* value,
                                           void* old, int) {
  const std::lock_guard lock(lab::atomic_objects);
  std::memcpy(old, object, size);
  std::memcpy(object, value, size);
}

LAB_CALLED_BY_NAME bool CompareAndExchangeAtomically(std::size_t size, void* object, void* expected,
                                                     const void* desired, int, int) {
  const std::lock_guard lock(lab::atomic_objects);
  const bool is_equal = std::memcmp(object, expected, size) == 0;
  is_equal ? std::memcpy(object, desired, size) : std::memcpy(expected, object, size);
  return is_equal;
}

#endif
