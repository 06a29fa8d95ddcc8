// thrust::min_element and max_element, which find the first of several.
#pragma once

#include "device_ptr.h"
#include "functional.h"

namespace thrust {

template <policies::Policy P, class In, class Less = less<>>
CUDASIM_INLINE In min_element(P policy, In first, In last, Less less = {}) {
  const std::size_t count = last - first;
  const auto body = [=, in = Raw(first)]() mutable CUDASIM_INLINE_LAMBDA {
    return cudasim::library::FirstOfAll(in, count, less);
  };
  return first + policies::Compute<"thrust::min_element">(policy, body);
}
CUDASIM_WITHOUT_POLICY(min_element)

template <policies::Policy P, class In, class Less = less<>>
CUDASIM_INLINE In max_element(P policy, In first, In last, Less less = {}) {
  const std::size_t count = last - first;
  const auto body = [=, in = Raw(first)]() mutable CUDASIM_INLINE_LAMBDA {
    const auto more = [&less](const auto& a, const auto& b)
                          CUDASIM_INLINE_LAMBDA { return less(b, a); };
    return cudasim::library::FirstOfAll(in, count, more);
  };
  return first + policies::Compute<"thrust::max_element">(policy, body);
}
CUDASIM_WITHOUT_POLICY(max_element)

CUDASIM_REFUSE_THRUST(minmax_element)

}  // namespace thrust
