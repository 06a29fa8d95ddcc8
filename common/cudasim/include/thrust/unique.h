// thrust::unique and unique_copy: the first value of each run of equal ones.
#pragma once

#include "device_ptr.h"
#include "functional.h"

namespace thrust {

template <policies::Policy P, class In, class Out, class Equal = equal_to<>>
CUDASIM_INLINE Out unique_copy(P policy, In first, In last, Out out, Equal equal = {}) {
  const std::size_t count = last - first;
  const auto body = [=, in = Raw(first), to = Raw(out)]() mutable CUDASIM_INLINE_LAMBDA {
    return cudasim::library::Unique(in, count, to, equal);
  };
  return out + policies::Compute<"thrust::unique">(policy, body);
}
CUDASIM_WITHOUT_POLICY(unique_copy)

template <policies::Policy P, class It, class Equal = equal_to<>>
CUDASIM_INLINE It unique(P policy, It first, It last, Equal equal = {}) {
  return thrust::unique_copy(policy, first, last, first, equal);
}
CUDASIM_WITHOUT_POLICY(unique)

CUDASIM_REFUSE_THRUST(unique_by_key)
CUDASIM_REFUSE_THRUST(unique_count)

}  // namespace thrust
