// Lanes that update volatile words from each other's without a barrier, as in v[t] += v[t + 16].
// By the memory model that is a data race, and check mode reports it; on a GPU the lanes mostly
// advance together all the same, and so they do in plain mode.  The rewriter marks assignments:
//
//   v[t] += v[t + 16];  ->  ::cudasim::InLockstep<true>(v[t]) += v[t + 16];
//
// If the element is volatile, the lanes that reach the assignment have all read before one of them
// stores, and have all stored before one of them goes on.
#pragma once

#if defined(__CUDACC__) && !defined(CUDASIM_CHECK)

#include <type_traits>

#include "cudasim/shared.h"
#include "cudasim/switch.h"
#include "cudasim/warp.h"

namespace cudasim {

// `kIsUpdate`: the value depends on other elements.  What else is assigned may be a flag, for which
// lanes wait before they get here, unless it lies in shared memory.
template <class T, bool kIsUpdate>
class VolatileElement {
 public:
  CUDASIM_INLINE VolatileElement(volatile T& element, const char* file, int line)
      : element_(element), file_(file), line_(line) {}

  template <class U = T>
  CUDASIM_INLINE CUDASIM_UNCHECKED void operator=(U&& value) const {
    Store(static_cast<U&&>(value));
  }

#define CUDASIM_UPDATE(op)                                              \
  template <class U>                                                    \
  CUDASIM_INLINE CUDASIM_UNCHECKED void operator op(U&& change) const { \
    T value = element_;                                                 \
    value op static_cast<U&&>(change);                                  \
    Store(value);                                                       \
  }
  CUDASIM_UPDATE(+=)
  CUDASIM_UPDATE(-=)
  CUDASIM_UPDATE(*=)
  CUDASIM_UPDATE(/=)
  CUDASIM_UPDATE(%=)
  CUDASIM_UPDATE(&=)
  CUDASIM_UPDATE(|=)
  CUDASIM_UPDATE(^=)
  CUDASIM_UPDATE(<<=)
  CUDASIM_UPDATE(>>=)
#undef CUDASIM_UPDATE

 private:
  CUDASIM_INLINE CUDASIM_UNCHECKED void Store(T value) const {
    const auto* const address = reinterpret_cast<const volatile char*>(&element_);
    const bool waits =
        current_fiber != nullptr &&
        (kIsUpdate || static_cast<std::size_t>(address - shared_arena) < kArenaBytes);
    if (waits) cudasim_lockstep(file_, line_, 1);
    element_ = value;
    if (waits) cudasim_lockstep(file_, line_, 2);
  }

  volatile T& element_;
  const char* const file_;
  const int line_;
};

template <bool kIsUpdate, class T>
CUDASIM_INLINE CUDASIM_UNCHECKED decltype(auto) InLockstep(T&& element, CUDASIM_HERE) {
  using Element = std::remove_reference_t<T>;
  if constexpr (std::is_volatile_v<Element> && !std::is_const_v<Element> &&
                std::is_scalar_v<Element>) {
    return VolatileElement<std::remove_volatile_t<Element>, kIsUpdate>(element, file, line);
  } else {
    return static_cast<T&&>(element);
  }
}

}  // namespace cudasim

#endif  // __CUDACC__ && !CUDASIM_CHECK
