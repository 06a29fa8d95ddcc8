// thrust::inner_product.
#pragma once

#include "device_ptr.h"
#include "functional.h"

namespace thrust {

template <policies::Policy P, class In1, class In2, class T, class Sum = plus<T>,
          class Product = multiplies<T>>
CUDASIM_INLINE T inner_product(P policy, In1 first, In1 last, In2 second, T init, Sum sum = {},
                               Product product = {}) {
  const std::size_t count = last - first;
  const auto body = [=, a = Raw(first), b = Raw(second)]() mutable CUDASIM_INLINE_LAMBDA {
    const auto value = [&](std::size_t i) CUDASIM_INLINE_LAMBDA { return product(a[i], b[i]); };
    return cudasim::library::Reduce(cudasim::library::Computed{value}, count, init, sum);
  };
  return policies::Compute<"thrust::inner_product">(policy, body);
}
CUDASIM_WITHOUT_POLICY(inner_product)

}  // namespace thrust
