// thrust::discard_iterator: takes what is assigned to it, and keeps nothing.
#pragma once

#include "computed_iterator.h"

namespace thrust {

struct DiscardFunction {
  struct value_type {
    template <class T>
    CUDASIM_INLINE const value_type& operator=(const T&) const {
      return *this;
    }
  };

  CUDASIM_INLINE value_type operator()(std::ptrdiff_t) const { return {}; }
  CUDASIM_INLINE std::ptrdiff_t operator-(const DiscardFunction&) const { return 0; }
};

template <class = void>
using discard_iterator = computed_iterator<DiscardFunction, System::kNeither>;

CUDASIM_INLINE discard_iterator<> make_discard_iterator() { return discard_iterator<>(); }

}  // namespace thrust
