// thrust::gather: each place takes the element that its index names.
#pragma once

#include "device_ptr.h"

namespace thrust {

template <policies::Policy P, class Indices, class In, class Out>
CUDASIM_INLINE Out gather(P policy, Indices first, Indices last, In in, Out out) {
  const auto count = last - first;
  const auto body = [indices = Raw(first), from = Raw(in), to = Raw(out)](std::size_t i)
                        CUDASIM_INLINE_LAMBDA { to[i] = from[indices[i]]; };
  policies::RunForEach<"thrust::gather">(policy, count, body);
  return out + count;
}
CUDASIM_WITHOUT_POLICY(gather)

CUDASIM_REFUSE_THRUST(gather_if)

}  // namespace thrust
