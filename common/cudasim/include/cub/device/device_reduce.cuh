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

  template <class In, class Out, class Op, class Transform, class T>
  CUDASIM_INLINE static cudaError_t TransformReduce(void* storage, std::size_t& bytes, In in,
                                                    Out out, std::int64_t count, Op op,
                                                    Transform transform, T init,
                                                    cudaStream_t stream = nullptr) {
    const auto value = [=](std::size_t i) mutable CUDASIM_INLINE_LAMBDA {
      return transform(in[i]);
    };
    return Run<"cub::DeviceReduce::TransformReduce">(
        storage, bytes, cudasim::library::Computed{value}, out, count, op, init, stream);
  }

  // The values of a run are combined from left to right.
  template <class Keys, class KeysOut, class Values, class Sums, class Count, class Op>
  CUDASIM_INLINE static cudaError_t ReduceByKey(void* storage, std::size_t& bytes, Keys keys,
                                                KeysOut keys_out, Values values, Sums sums,
                                                Count runs, Op op, std::int64_t count,
                                                cudaStream_t stream = nullptr) {
    using T = cudasim::library::ValueAt<Values>;
    const auto body = [=](void*) CUDASIM_INLINE_LAMBDA {
      *runs = cudasim::library::ReduceRuns(keys, count, values, keys_out, sums, Equality(), op);
    };
    return two_phase::Run<"cub::DeviceReduce::ReduceByKey">(
        storage, bytes, two_phase::BytesForTiles<T>(count), stream, body);
  }

  CUDASIM_REFUSE_CUB(DeviceReduce, ArgMin)
  CUDASIM_REFUSE_CUB(DeviceReduce, ArgMax)

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
