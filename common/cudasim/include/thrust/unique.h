// thrust::unique and unique_copy: the first value of each run of equal ones.
#pragma once

#include "device_ptr.h"
#include "functional.h"
#include "iterator/discard_iterator.h"
#include "reduce.h"

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

// The ends of the two results: the first key and value of each run of equal keys.
template <policies::Policy P, class Keys, class Values, class Equal = equal_to<>>
CUDASIM_INLINE auto unique_by_key(P policy, Keys first, Keys last, Values values,
                                  Equal equal = {}) {
  const auto left = [](const auto& a, const auto&) CUDASIM_INLINE_LAMBDA { return a; };
  return thrust::reduce_by_key(policy, first, last, values, first, values, equal, left);
}
CUDASIM_WITHOUT_POLICY(unique_by_key)

template <policies::Policy P, class In, class Equal = equal_to<>>
CUDASIM_INLINE std::ptrdiff_t unique_count(P policy, In first, In last, Equal equal = {}) {
  const discard_iterator<> nowhere;
  return thrust::unique_copy(policy, first, last, nowhere, equal) - nowhere;
}
CUDASIM_WITHOUT_POLICY(unique_count)

}  // namespace thrust
