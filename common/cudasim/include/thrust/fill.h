// thrust::fill and fill_n.
#pragma once

#include "device_ptr.h"

namespace thrust {

template <policies::Policy P, class Out, class T>
CUDASIM_INLINE Out fill_n(P policy, Out first, std::size_t count, T value) {
  const auto body = [out = Raw(first), value](std::size_t i)
                        CUDASIM_INLINE_LAMBDA { out[i] = value; };
  policies::RunForEach<"thrust::fill">(policy, count, body);
  return first + count;
}
CUDASIM_WITHOUT_POLICY(fill_n)

template <policies::Policy P, class Out, class T>
CUDASIM_INLINE void fill(P policy, Out first, Out last, T value) {
  thrust::fill_n(policy, first, last - first, value);
}
CUDASIM_WITHOUT_POLICY(fill)

}  // namespace thrust
