// thrust::lower_bound and upper_bound of many values at once, in a sorted range.
#pragma once

#include "device_ptr.h"
#include "functional.h"

namespace thrust {

namespace searches {

// The first place of the `count` sorted elements from which on goes_on() is false.
template <class GoesOn>
CUDASIM_INLINE std::ptrdiff_t FirstPlace(std::ptrdiff_t count, GoesOn goes_on) {
  std::ptrdiff_t begin = 0;
  while (begin < count) {
    const std::ptrdiff_t middle = begin + (count - begin) / 2;
    goes_on(middle) ? begin = middle + 1 : count = middle;
  }
  return begin;
}

}  // namespace searches

template <policies::Policy P, class In, class Values, class Out, class Less = less<>>
CUDASIM_INLINE Out lower_bound(P policy, In first, In last, Values values, Values values_last,
                               Out out, Less less = {}) {
  const auto body = [=, in = Raw(first), of = Raw(values), to = Raw(out),
                     count = last - first](std::size_t i) mutable CUDASIM_INLINE_LAMBDA {
    to[i] = searches::FirstPlace(count, [&](std::ptrdiff_t at) { return less(in[at], of[i]); });
  };
  policies::RunForEach<"thrust::lower_bound">(policy, values_last - values, body);
  return out + (values_last - values);
}
CUDASIM_WITHOUT_POLICY(lower_bound)

template <policies::Policy P, class In, class Values, class Out, class Less = less<>>
CUDASIM_INLINE Out upper_bound(P policy, In first, In last, Values values, Values values_last,
                               Out out, Less less = {}) {
  const auto body = [=, in = Raw(first), of = Raw(values), to = Raw(out),
                     count = last - first](std::size_t i) mutable CUDASIM_INLINE_LAMBDA {
    to[i] = searches::FirstPlace(count, [&](std::ptrdiff_t at) { return !less(of[i], in[at]); });
  };
  policies::RunForEach<"thrust::upper_bound">(policy, values_last - values, body);
  return out + (values_last - values);
}
CUDASIM_WITHOUT_POLICY(upper_bound)

CUDASIM_REFUSE_THRUST(binary_search)

}  // namespace thrust
