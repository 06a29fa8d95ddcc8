// thrust::for_each and for_each_n: on the device a thread for each element.
#pragma once

#include "device_ptr.h"
#include "functional.h"

namespace thrust {

template <policies::Policy P, class In, class Function>
CUDASIM_INLINE In for_each_n(P policy, In first, std::size_t count, Function function) {
  const auto body = [function, in = Raw(first)](std::size_t i) mutable CUDASIM_INLINE_LAMBDA {
    function(in[i]);
  };
  policies::RunForEach<"thrust::for_each">(policy, count, body);
  return first + count;
}
CUDASIM_WITHOUT_POLICY(for_each_n)

template <policies::Policy P, class In, class Function>
CUDASIM_INLINE In for_each(P policy, In first, In last, Function function) {
  return thrust::for_each_n(policy, first, last - first, function);
}
CUDASIM_WITHOUT_POLICY(for_each)

}  // namespace thrust
