// cub::DeviceRunLengthEncode: the runs of equal values and their lengths.
#pragma once

#include "../two_phase.h"

namespace cub {

struct DeviceRunLengthEncode {
  template <class In, class Out, class Lengths, class Count>
  CUDASIM_INLINE static cudaError_t Encode(void* storage, std::size_t& bytes, In in, Out out,
                                           Lengths lengths, Count runs, std::int64_t count,
                                           cudaStream_t stream = nullptr) {
    using Length = cudasim::library::ValueAt<Lengths>;
    const auto body = [=](void*) CUDASIM_INLINE_LAMBDA {
      const auto one = [](std::size_t) CUDASIM_INLINE_LAMBDA { return Length(1); };
      *runs = cudasim::library::ReduceRuns(in, count, cudasim::library::Computed{one}, out, lengths,
                                           Equality(), Sum());
    };
    return two_phase::Run<"cub::DeviceRunLengthEncode::Encode">(
        storage, bytes, two_phase::BytesForTiles<Length>(count), stream, body);
  }

  CUDASIM_REFUSE_CUB(DeviceRunLengthEncode, NonTrivialRuns)
};

}  // namespace cub
