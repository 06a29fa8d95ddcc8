#pragma once

// The functions that our own definitions of the same name stand in for.

#include <dlfcn.h>

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <iterator>

namespace lab {

// A function's name as a template argument, with and without the prefix of ThreadSanitizer's own.
template <std::size_t bytes>
struct FunctionName {
  consteval FunctionName(const char (&name)[bytes]) {
    std::copy_n(name, bytes, std::copy_n(kPrefix, kLength, intercepted));
  }
  const char* plain() const { return intercepted + kLength; }

  static constexpr char kPrefix[] = "__interceptor_";
  static constexpr std::size_t kLength = std::size(kPrefix) - 1;
  char intercepted[kLength + bytes] = {};
};

// The function of this name that the caller's definition stands in for: ThreadSanitizer's where
// there is one, else that of the next library in the order of lookup. Thread-safe.
//
// It is looked up when the library that contains the definition is initialised, because dlsym waits
// while another thread initialises a library: for ever, if that one waits for a thread that calls
// the function. Earlier calls look it up themselves. Each library has its own (hidden): those after
// it differ.
template <FunctionName name, typename F>
class __attribute__((visibility("hidden"))) NextFunction {
 public:
  static F* Get() {
    static_cast<void>(&looked_up_);
    F* function = function_.load(std::memory_order_relaxed);
    if (function == nullptr) {
      void* found = dlsym(RTLD_DEFAULT, name.intercepted);
      if (found == nullptr) found = dlsym(RTLD_NEXT, name.plain());
      function = reinterpret_cast<F*>(found);
      function_.store(function, std::memory_order_relaxed);
    }
    return function;
  }

 private:
  static inline constinit std::atomic<F*> function_{nullptr};
  static inline F* const looked_up_ = Get();
};

}  // namespace lab
