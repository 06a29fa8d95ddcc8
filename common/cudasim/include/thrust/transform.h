// thrust::transform of one range or of two.
#pragma once

#include "device_ptr.h"
#include "functional.h"

namespace thrust {

template <policies::Policy P, class In, class Out, class Op>
CUDASIM_INLINE Out transform(P policy, In first, In last, Out out, Op op) {
  const auto count = last - first;
  const auto body = [op, in = Raw(first), to = Raw(out)](
                        std::size_t i) mutable CUDASIM_INLINE_LAMBDA { to[i] = op(in[i]); };
  policies::RunForEach<"thrust::transform">(policy, count, body);
  return out + count;
}

template <policies::Policy P, class In1, class In2, class Out, class Op>
CUDASIM_INLINE Out transform(P policy, In1 first, In1 last, In2 second, Out out, Op op) {
  const auto count = last - first;
  const auto body = [op, a = Raw(first), b = Raw(second), to = Raw(out)](
                        std::size_t i) mutable CUDASIM_INLINE_LAMBDA { to[i] = op(a[i], b[i]); };
  policies::RunForEach<"thrust::transform">(policy, count, body);
  return out + count;
}
CUDASIM_WITHOUT_POLICY(transform)

CUDASIM_REFUSE_THRUST(transform_if)

}  // namespace thrust
