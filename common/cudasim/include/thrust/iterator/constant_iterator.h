// thrust::constant_iterator: the same value everywhere.
#pragma once

#include "computed_iterator.h"

namespace thrust {

template <class T>
struct ConstantFunction {
  T value;

  CUDASIM_INLINE ConstantFunction(T all) : value(all) {}
  CUDASIM_INLINE T operator()(std::ptrdiff_t) const { return value; }
  CUDASIM_INLINE std::ptrdiff_t operator-(const ConstantFunction&) const { return 0; }
};

template <class T>
using constant_iterator = computed_iterator<ConstantFunction<T>, System::kNeither>;

template <class T>
CUDASIM_INLINE constant_iterator<T> make_constant_iterator(T value) {
  return constant_iterator<T>(value);
}

}  // namespace thrust
