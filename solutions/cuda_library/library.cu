// The reference of the lab "Libraries on a GPU".

#include <cuda_runtime.h>
#include <thrust/copy.h>
#include <thrust/execution_policy.h>
#include <thrust/functional.h>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/permutation_iterator.h>
#include <thrust/iterator/zip_iterator.h>
#include <thrust/sequence.h>
#include <thrust/transform_reduce.h>
#include <thrust/tuple.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cub/cub.cuh>
#include <stdexcept>

#include "common/cuda/check.h"
#include "labs/cuda_library/library.h"

namespace {

// Device memory in the order of a stream.
class Memory {
 public:
  Memory(std::size_t bytes, cudaStream_t stream) : stream_(stream) {
    CUDA_CHECK(cudaMallocAsync(&data_, bytes, stream));
  }
  ~Memory() { cudaFreeAsync(data_, stream_); }
  Memory(const Memory&) = delete;
  Memory& operator=(const Memory&) = delete;

  std::uint8_t* data() const { return static_cast<std::uint8_t*>(data_); }

 private:
  void* data_ = nullptr;
  cudaStream_t stream_;
};

constexpr std::size_t kAlignment = 256;

constexpr std::size_t Aligned(std::size_t bytes) {
  return (bytes + kAlignment - 1) / kAlignment * kAlignment;
}

// How much storage call(storage, bytes) asks for.
template <typename Call>
std::size_t StorageOf(const Call& call) {
  std::size_t bytes = 0;
  CUDA_CHECK(call(nullptr, bytes));
  return bytes;
}

struct SquaredDifference {
  __host__ __device__ double operator()(const thrust::tuple<float, float>& pair) const {
    const double difference =
        static_cast<double>(thrust::get<0>(pair)) - static_cast<double>(thrust::get<1>(pair));
    return difference * difference;
  }
};

}  // namespace

void Distance(DeviceSpan<const float> x, DeviceSpan<const float> y, DeviceSpan<double> distance,
              cudaStream_t stream) {
  const auto pairs = thrust::make_zip_iterator(x.data(), y.data());
  const double squares =
      thrust::transform_reduce(thrust::cuda::par.on(stream), pairs, pairs + x.size(),
                               SquaredDifference(), 0.0, thrust::plus<double>());
  const double result = std::sqrt(squares);
  CUDA_CHECK(
      cudaMemcpyAsync(distance.data(), &result, sizeof(result), cudaMemcpyHostToDevice, stream));
}

void CountKeys(DeviceSpan<const std::uint32_t> keys, int key_bits,
               DeviceSpan<std::uint32_t> distinct, DeviceSpan<std::uint32_t> counts,
               DeviceSpan<std::uint32_t> number, cudaStream_t stream) {
  const int n = static_cast<int>(keys.size());
  if (n == 0) {
    CUDA_CHECK(cudaMemsetAsync(number.data(), 0, number.size_bytes(), stream));
    return;
  }
  std::uint32_t* sorted = nullptr;
  const auto sort = [&](void* storage, std::size_t& bytes) {
    return cub::DeviceRadixSort::SortKeys(storage, bytes, keys.data(), sorted, n, 0, key_bits,
                                          stream);
  };
  const auto encode = [&](void* storage, std::size_t& bytes) {
    return cub::DeviceRunLengthEncode::Encode(storage, bytes, sorted, distinct.data(),
                                              counts.data(), number.data(), n, stream);
  };
  std::size_t sort_bytes = StorageOf(sort);
  std::size_t encode_bytes = StorageOf(encode);
  const std::size_t key_bytes = Aligned(keys.size_bytes());
  const Memory memory(key_bytes + std::max(sort_bytes, encode_bytes), stream);
  sorted = reinterpret_cast<std::uint32_t*>(memory.data());
  CUDA_CHECK(sort(memory.data() + key_bytes, sort_bytes));
  CUDA_CHECK(encode(memory.data() + key_bytes, encode_bytes));
}

void TopRecords(DeviceSpan<const float> scores, DeviceSpan<const std::uint32_t> ids,
                DeviceSpan<const float> weights, DeviceSpan<std::uint32_t> top_ids,
                DeviceSpan<float> top_weights, cudaStream_t stream) {
  if (top_ids.empty()) return;
  const int n = static_cast<int>(scores.size());
  float* sorted = nullptr;
  std::uint32_t* indices = nullptr;
  std::uint32_t* order = nullptr;
  const auto sort = [&](void* storage, std::size_t& bytes) {
    return cub::DeviceRadixSort::SortPairsDescending(storage, bytes, scores.data(), sorted, indices,
                                                     order, n, 0, 32, stream);
  };
  std::size_t bytes = StorageOf(sort);
  const std::size_t of_array = Aligned(scores.size_bytes());
  const Memory memory(3 * of_array + bytes, stream);
  sorted = reinterpret_cast<float*>(memory.data());
  indices = reinterpret_cast<std::uint32_t*>(memory.data() + of_array);
  order = reinterpret_cast<std::uint32_t*>(memory.data() + 2 * of_array);
  const auto policy = thrust::cuda::par_nosync.on(stream);
  thrust::sequence(policy, indices, indices + n);
  CUDA_CHECK(sort(memory.data() + 3 * of_array, bytes));
  const auto records = thrust::make_zip_iterator(ids.data(), weights.data());
  const auto best = thrust::make_permutation_iterator(records, order);
  thrust::copy(policy, best, best + top_ids.size(),
               thrust::make_zip_iterator(top_ids.data(), top_weights.data()));
}

void RowOffsets(DeviceSpan<const std::uint32_t> lengths, DeviceSpan<std::uint32_t> offsets,
                DeviceSpan<std::uint32_t> nonempty, DeviceSpan<std::uint32_t> number,
                DeviceSpan<std::uint8_t> storage, cudaStream_t stream) {
  CUDA_CHECK(cudaMemsetAsync(offsets.data(), 0, sizeof(std::uint32_t), stream));
  const int n = static_cast<int>(lengths.size());
  if (n == 0) {
    CUDA_CHECK(cudaMemsetAsync(number.data(), 0, number.size_bytes(), stream));
    return;
  }
  const auto scan = [&](void* memory, std::size_t& bytes) {
    return cub::DeviceScan::InclusiveSum(memory, bytes, lengths.data(), offsets.data() + 1, n,
                                         stream);
  };
  const auto select = [&](void* memory, std::size_t& bytes) {
    return cub::DeviceSelect::Flagged(memory, bytes, thrust::counting_iterator<std::uint32_t>(0),
                                      lengths.data(), nonempty.data(), number.data(), n, stream);
  };
  std::size_t bytes = std::max(StorageOf(scan), StorageOf(select));
  if (bytes > storage.size()) throw std::length_error("error: too little temporary storage");
  CUDA_CHECK(scan(storage.data(), bytes));
  CUDA_CHECK(select(storage.data(), bytes));
}

namespace {

constexpr int kThreads = 256;
constexpr int kOfThread = kMaxColumns / kThreads;

struct Larger {
  __device__ float operator()(float a, float b) const { return a < b ? b : a; }
};

// A row for each block; a thread keeps up to kOfThread of its numbers in registers.
__global__ void SoftmaxKernel(const float* logits, float* probabilities, int columns) {
  using Reduce = cub::BlockReduce<float, kThreads>;
  __shared__ typename Reduce::TempStorage storage;
  __shared__ float largest_of_row;
  __shared__ float scale;
  const std::size_t row = std::size_t{blockIdx.x} * columns;
  float values[kOfThread];
  float largest = -INFINITY;
  for (int k = 0; k < kOfThread; ++k) {
    const int column = k * kThreads + static_cast<int>(threadIdx.x);
    values[k] = column < columns ? logits[row + column] : -INFINITY;
    largest = Larger()(largest, values[k]);
  }
  const float of_row = Reduce(storage).Reduce(largest, Larger());
  if (threadIdx.x == 0) largest_of_row = of_row;
  __syncthreads();
  largest = largest_of_row;
  float sum = 0;
  for (float& value : values) {
    value = expf(value - largest);
    sum += value;
  }
  const float of_all = Reduce(storage).Sum(sum);
  if (threadIdx.x == 0) scale = 1 / of_all;
  __syncthreads();
  for (int k = 0; k < kOfThread; ++k) {  // stores
    const int column = k * kThreads + static_cast<int>(threadIdx.x);
    if (column < columns) probabilities[row + column] = values[k] * scale;
  }
}

}  // namespace

void SoftmaxRows(DeviceSpan<const float> logits, DeviceSpan<float> probabilities, int rows,
                 int columns, cudaStream_t stream) {
  if (rows == 0 || columns == 0) return;
  SoftmaxKernel<<<rows, kThreads, 0, stream>>>(logits.data(), probabilities.data(), columns);
  CUDA_CHECK(cudaGetLastError());
}
