// thrust::sequence.
#pragma once

#include "device_ptr.h"

namespace thrust {

template <policies::Policy P, class Out, class T = std::iter_value_t<Out>, class Step = T>
CUDASIM_INLINE void sequence(P policy, Out first, Out last, T begin = T(), Step step = Step(1)) {
  const auto body = [=, out = Raw(first)](std::size_t i)
                        CUDASIM_INLINE_LAMBDA { out[i] = begin + static_cast<T>(i) * step; };
  policies::RunForEach<"thrust::sequence">(policy, last - first, body);
}
CUDASIM_WITHOUT_POLICY(sequence)

}  // namespace thrust
