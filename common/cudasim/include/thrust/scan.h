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

// Each run of equal keys has a scan of its own.
template <policies::Policy P, class Keys, class In, class Out, class Equal = equal_to<>,
          class Op = plus<>>
CUDASIM_INLINE Out inclusive_scan_by_key(P policy, Keys first, Keys last, In values, Out out,
                                         Equal equal = {}, Op op = {}) {
  const std::size_t count = last - first;
  const auto body = [=, keys = Raw(first), in = Raw(values),
                     to = Raw(out)]() mutable CUDASIM_INLINE_LAMBDA {
    cudasim::library::InclusiveScanRuns(keys, count, in, to, equal, op);
  };
  policies::RunOnce<"thrust::inclusive_scan_by_key">(policy, body);
  return out + count;
}
CUDASIM_WITHOUT_POLICY(inclusive_scan_by_key)

template <policies::Policy P, class Keys, class In, class Out, class T = std::iter_value_t<In>,
          class Equal = equal_to<>, class Op = plus<>>
CUDASIM_INLINE Out exclusive_scan_by_key(P policy, Keys first, Keys last, In values, Out out,
                                         T init = T(), Equal equal = {}, Op op = {}) {
  const std::size_t count = last - first;
  const auto body = [=, keys = Raw(first), in = Raw(values),
                     to = Raw(out)]() mutable CUDASIM_INLINE_LAMBDA {
    cudasim::library::ExclusiveScanRuns(keys, count, in, to, init, equal, op);
  };
  policies::RunOnce<"thrust::exclusive_scan_by_key">(policy, body);
  return out + count;
}
CUDASIM_WITHOUT_POLICY(exclusive_scan_by_key)

}  // namespace thrust
