// thrust::count and count_if.
#pragma once

#include "device_ptr.h"
#include "functional.h"

namespace thrust {

template <policies::Policy P, class In, class Selects>
CUDASIM_INLINE std::ptrdiff_t count_if(P policy, In first, In last, Selects selects) {
  const std::size_t count = last - first;
  const auto body = [=, in = Raw(first)]() mutable CUDASIM_INLINE_LAMBDA {
    const auto one = [&](std::size_t i) CUDASIM_INLINE_LAMBDA {
      return static_cast<std::ptrdiff_t>(selects(in[i]) ? 1 : 0);
    };
    const cudasim::library::Computed ones{one};
    return cudasim::library::Reduce(ones, count, std::ptrdiff_t{0}, plus<>());
  };
  return policies::Compute<"thrust::count">(policy, body);
}
CUDASIM_WITHOUT_POLICY(count_if)

template <policies::Policy P, class In, class T>
CUDASIM_INLINE std::ptrdiff_t count(P policy, In first, In last, T value) {
  const auto equals = [value](const std::iter_value_t<In>& other)
                          CUDASIM_INLINE_LAMBDA { return other == value; };
  return thrust::count_if(policy, first, last, equals);
}
CUDASIM_WITHOUT_POLICY(count)

}  // namespace thrust
