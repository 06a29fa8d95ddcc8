// thrust::counting_iterator: n, n + 1, n + 2, ...
#pragma once

#include "computed_iterator.h"

namespace thrust {

template <class T>
struct CountingFunction {
  T first;

  CUDASIM_INLINE CountingFunction(T from = {}) : first(from) {}
  CUDASIM_INLINE T operator()(std::ptrdiff_t i) const { return first + static_cast<T>(i); }
  CUDASIM_INLINE std::ptrdiff_t operator-(const CountingFunction& other) const {
    return static_cast<std::ptrdiff_t>(first) - static_cast<std::ptrdiff_t>(other.first);
  }
};

template <class T>
using counting_iterator = computed_iterator<CountingFunction<T>, System::kNeither>;

template <class T>
CUDASIM_INLINE counting_iterator<T> make_counting_iterator(T first) {
  return counting_iterator<T>(first);
}

}  // namespace thrust
