// thrust::scatter: each element goes to the place that its index names.
#pragma once

#include "device_ptr.h"

namespace thrust {

template <policies::Policy P, class In, class Indices, class Out>
CUDASIM_INLINE void scatter(P policy, In first, In last, Indices indices, Out out) {
  const auto body = [from = Raw(first), places = Raw(indices), to = Raw(out)](std::size_t i)
                        CUDASIM_INLINE_LAMBDA { to[places[i]] = from[i]; };
  policies::RunForEach<"thrust::scatter">(policy, last - first, body);
}
CUDASIM_WITHOUT_POLICY(scatter)

CUDASIM_REFUSE_THRUST(scatter_if)

}  // namespace thrust
