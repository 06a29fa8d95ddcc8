// thrust::inclusive_scan and exclusive_scan; the result may replace the input.
#pragma once

#include "device_ptr.h"
#include "functional.h"

namespace thrust {

template <policies::Policy P, class In, class Out, class Op = plus<>>
CUDASIM_INLINE Out inclusive_scan(P policy, In first, In last, Out out, Op op = {}) {
  const std::size_t count = last - first;
  const auto body = [=, in = Raw(first), to = Raw(out)]() mutable CUDASIM_INLINE_LAMBDA {
    cudasim::library::InclusiveScan(in, count, to, op);
  };
  policies::RunOnce<"thrust::inclusive_scan">(policy, body);
  return out + count;
}
CUDASIM_WITHOUT_POLICY(inclusive_scan)

template <policies::Policy P, class In, class Out, class T = std::iter_value_t<In>,
          class Op = plus<>>
CUDASIM_INLINE Out exclusive_scan(P policy, In first, In last, Out out, T init = T(), Op op = {}) {
  const std::size_t count = last - first;
  const auto body = [=, in = Raw(first), to = Raw(out)]() mutable CUDASIM_INLINE_LAMBDA {
    cudasim::library::ExclusiveScan(in, count, to, init, op);
  };
  policies::RunOnce<"thrust::exclusive_scan">(policy, body);
  return out + count;
}
CUDASIM_WITHOUT_POLICY(exclusive_scan)

CUDASIM_REFUSE_THRUST(inclusive_scan_by_key)
CUDASIM_REFUSE_THRUST(exclusive_scan_by_key)

}  // namespace thrust
