// thrust::generate.
#pragma once

#include "device_ptr.h"

namespace thrust {

template <policies::Policy P, class Out, class Generator>
CUDASIM_INLINE void generate(P policy, Out first, Out last, Generator next) {
  const auto body = [next, out = Raw(first)](std::size_t i) mutable CUDASIM_INLINE_LAMBDA {
    out[i] = next();
  };
  policies::RunForEach<"thrust::generate">(policy, last - first, body);
}
CUDASIM_WITHOUT_POLICY(generate)

}  // namespace thrust
