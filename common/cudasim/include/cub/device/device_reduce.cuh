// cub::DeviceReduce: Reduce, Sum, Min and Max.
#pragma once

#include <limits>

#include "../two_phase.h"

namespace cub {

struct DeviceReduce {
  template <class In, class Out, class Op, class T>
  CUDASIM_INLINE static cudaError_t Reduce(void* storage, std::size_t& bytes, In in, Out out,
                                           std::int64_t count, Op op, T init,
                                           cudaStream_t stream = nullptr) {
    return Run<"cub::DeviceReduce::Reduce">(storage, bytes, in, out, count, op, init, stream);
  }

  template <class In, class Out>
  CUDASIM_INLINE static cudaError_t Sum(void* storage, std::size_t& bytes, In in, Out out,
                                        std::int64_t count, cudaStream_t stream = nullptr) {
    using T = cudasim::library::ValueAt<Out>;
    return Run<"cub::DeviceReduce::Sum">(storage, bytes, in, out, count, cub::Sum(), T(), stream);
  }

  template <class In, class Out>
  CUDASIM_INLINE static cudaError_t Min(void* storage, std::size_t& bytes, In in, Out out,
                                        std::int64_t count, cudaStream_t stream = nullptr) {
    using T = cudasim::library::ValueAt<In>;
    return Run<"cub::DeviceReduce::Min">(storage, bytes, in, out, count, cub::Min(),
                                         std::numeric_limits<T>::max(), stream);
  }

  template <class In, class Out>
  CUDASIM_INLINE static cudaError_t Max(void* storage, std::size_t& bytes, In in, Out out,
                                        std::int64_t count, cudaStream_t stream = nullptr) {
    using T = cudasim::library::ValueAt<In>;
    return Run<"cub::DeviceReduce::Max">(storage, bytes, in, out, count, cub::Max(),
                                         std::numeric_limits<T>::lowest(), stream);
  }

  CUDASIM_REFUSE_CUB(DeviceReduce, ArgMin)
  CUDASIM_REFUSE_CUB(DeviceReduce, ArgMax)
  CUDASIM_REFUSE_CUB(DeviceReduce, ReduceByKey)
  CUDASIM_REFUSE_CUB(DeviceReduce, TransformReduce)

 private:
  template <cudasim::library::Name kName, class In, class Out, class Op, class T>
  CUDASIM_INLINE static cudaError_t Run(void* storage, std::size_t& bytes, In in, Out out,
                                        std::int64_t count, Op op, T init, cudaStream_t stream) {
    const auto body = [=](void*) CUDASIM_INLINE_LAMBDA {
      *out = cudasim::library::Reduce(in, count, init, op);
    };
    return two_phase::Run<kName>(storage, bytes, two_phase::BytesForTiles<T>(count), stream, body);
  }
};

}  // namespace cub
