// thrust::reduce, and reduce_by_key, which combines the values of a run from left to right.
#pragma once

#include <utility>

#include "device_ptr.h"
#include "functional.h"

namespace thrust {

template <policies::Policy P, class In, class T = std::iter_value_t<In>, class Op = plus<T>>
CUDASIM_INLINE T reduce(P policy, In first, In last, T init = T(), Op op = {}) {
  const std::size_t count = last - first;
  const auto body = [=, in = Raw(first)]() mutable CUDASIM_INLINE_LAMBDA {
    return cudasim::library::Reduce(in, count, init, op);
  };
  return policies::Compute<"thrust::reduce">(policy, body);
}
CUDASIM_WITHOUT_POLICY(reduce)

// The ends of the two results.
template <policies::Policy P, class Keys, class Values, class KeysOut, class ValuesOut,
          class Equal = equal_to<>, class Op = plus<>>
CUDASIM_INLINE auto reduce_by_key(P policy, Keys first, Keys last, Values values, KeysOut keys_out,
                                  ValuesOut values_out, Equal equal = {}, Op op = {}) {
  const std::size_t count = last - first;
  const auto body = [=, in = Raw(first), of = Raw(values), keys = Raw(keys_out),
                     sums = Raw(values_out)]() mutable CUDASIM_INLINE_LAMBDA {
    return cudasim::library::ReduceRuns(in, count, of, keys, sums, equal, op);
  };
  const auto runs = policies::Compute<"thrust::reduce_by_key">(policy, body);
  return std::pair(keys_out + runs, values_out + runs);
}
CUDASIM_WITHOUT_POLICY(reduce_by_key)

}  // namespace thrust
