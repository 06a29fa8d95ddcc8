// thrust::transform_reduce.
#pragma once

#include "device_ptr.h"
#include "functional.h"

namespace thrust {

template <policies::Policy P, class In, class Unary, class T, class Op>
CUDASIM_INLINE T transform_reduce(P policy, In first, In last, Unary unary, T init, Op op) {
  const std::size_t count = last - first;
  const auto body = [=, in = Raw(first)]() mutable CUDASIM_INLINE_LAMBDA {
    const auto value = [&](std::size_t i) CUDASIM_INLINE_LAMBDA { return unary(in[i]); };
    return cudasim::library::Reduce(cudasim::library::Computed{value}, count, init, op);
  };
  return policies::Compute<"thrust::transform_reduce">(policy, body);
}
CUDASIM_WITHOUT_POLICY(transform_reduce)

}  // namespace thrust
