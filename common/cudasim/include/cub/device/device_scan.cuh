// cub::DeviceScan; the result may replace the input.
#pragma once

#include "../two_phase.h"

namespace cub {

struct DeviceScan {
  template <class In, class Out, class Op, class T>
  CUDASIM_INLINE static cudaError_t ExclusiveScan(void* storage, std::size_t& bytes, In in, Out out,
                                                  Op op, T init, std::int64_t count,
                                                  cudaStream_t stream = nullptr) {
    return Exclusive<"cub::DeviceScan::ExclusiveScan">(storage, bytes, in, out, op, init, count,
                                                       stream);
  }

  template <class In, class Out>
  CUDASIM_INLINE static cudaError_t ExclusiveSum(void* storage, std::size_t& bytes, In in, Out out,
                                                 std::int64_t count,
                                                 cudaStream_t stream = nullptr) {
    using T = cudasim::library::ValueAt<In>;
    return Exclusive<"cub::DeviceScan::ExclusiveSum">(storage, bytes, in, out, Sum(), T(), count,
                                                      stream);
  }

  template <class In, class Out, class Op>
  CUDASIM_INLINE static cudaError_t InclusiveScan(void* storage, std::size_t& bytes, In in, Out out,
                                                  Op op, std::int64_t count,
                                                  cudaStream_t stream = nullptr) {
    return Inclusive<"cub::DeviceScan::InclusiveScan">(storage, bytes, in, out, op, count, stream);
  }

  template <class In, class Out>
  CUDASIM_INLINE static cudaError_t InclusiveSum(void* storage, std::size_t& bytes, In in, Out out,
                                                 std::int64_t count,
                                                 cudaStream_t stream = nullptr) {
    return Inclusive<"cub::DeviceScan::InclusiveSum">(storage, bytes, in, out, Sum(), count,
                                                      stream);
  }

  CUDASIM_REFUSE_CUB(DeviceScan, ExclusiveSumByKey)
  CUDASIM_REFUSE_CUB(DeviceScan, ExclusiveScanByKey)
  CUDASIM_REFUSE_CUB(DeviceScan, InclusiveSumByKey)
  CUDASIM_REFUSE_CUB(DeviceScan, InclusiveScanByKey)
  CUDASIM_REFUSE_CUB(DeviceScan, InclusiveScanInit)

 private:
  template <cudasim::library::Name kName, class In, class Out, class Op, class T>
  CUDASIM_INLINE static cudaError_t Exclusive(void* storage, std::size_t& bytes, In in, Out out,
                                              Op op, T init, std::int64_t count,
                                              cudaStream_t stream) {
    const auto body = [=](void*) CUDASIM_INLINE_LAMBDA {
      cudasim::library::ExclusiveScan(in, count, out, init, op);
    };
    return two_phase::Run<kName>(storage, bytes, two_phase::BytesForTiles<T>(count), stream, body);
  }

  template <cudasim::library::Name kName, class In, class Out, class Op>
  CUDASIM_INLINE static cudaError_t Inclusive(void* storage, std::size_t& bytes, In in, Out out,
                                              Op op, std::int64_t count, cudaStream_t stream) {
    using T = cudasim::library::ValueAt<In>;
    const auto body = [=](void*) CUDASIM_INLINE_LAMBDA {
      cudasim::library::InclusiveScan(in, count, out, op);
    };
    return two_phase::Run<kName>(storage, bytes, two_phase::BytesForTiles<T>(count), stream, body);
  }
};

}  // namespace cub
