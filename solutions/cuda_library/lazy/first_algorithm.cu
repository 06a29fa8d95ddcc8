// Lazy: a chain of calls of Thrust in every part, each of which writes an array for the next one.

#include <cuda_runtime.h>
#include <thrust/copy.h>
#include <thrust/execution_policy.h>
#include <thrust/functional.h>
#include <thrust/gather.h>
#include <thrust/iterator/constant_iterator.h>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/discard_iterator.h>
#include <thrust/iterator/transform_iterator.h>
#include <thrust/iterator/zip_iterator.h>
#include <thrust/reduce.h>
#include <thrust/scan.h>
#include <thrust/sort.h>
#include <thrust/transform.h>

#include <cmath>
#include <cstddef>
#include <cstdint>

#include "common/cuda/check.h"
#include "labs/cuda_library/library.h"

namespace {

using std::uint32_t;

template <typename T>
class Array {
 public:
  Array(std::size_t n, cudaStream_t stream) : size_(n), stream_(stream) {
    CUDA_CHECK(cudaMallocAsync(&data_, n * sizeof(T) + 1, stream));
  }
  ~Array() { cudaFreeAsync(data_, stream_); }
  Array(const Array&) = delete;
  Array& operator=(const Array&) = delete;
  T* begin() const { return data_; }
  T* end() const { return data_ + size_; }

 private:
  T* data_ = nullptr;
  std::size_t size_;
  cudaStream_t stream_;
};

struct Difference {
  __host__ __device__ double operator()(float x, float y) const {
    return static_cast<double>(x) - static_cast<double>(y);
  }
};

struct Square {
  __host__ __device__ double operator()(double x) const { return x * x; }
};

struct IsNotZero {
  __host__ __device__ bool operator()(uint32_t length) const { return length != 0; }
};

struct RowOf {
  int columns;
  __host__ __device__ int operator()(int i) const { return i / columns; }
};

struct ExpOfDifference {
  __host__ __device__ float operator()(float x, float y) const { return expf(x - y); }
};

template <typename T>
void Store(const T& value, DeviceSpan<T> to, cudaStream_t stream) {
  CUDA_CHECK(cudaMemcpyAsync(to.data(), &value, sizeof(T), cudaMemcpyHostToDevice, stream));
}

}  // namespace

void Distance(DeviceSpan<const float> x, DeviceSpan<const float> y, DeviceSpan<double> distance,
              cudaStream_t stream) {
  const auto policy = thrust::cuda::par.on(stream);
  const Array<double> squares(x.size(), stream);
  thrust::transform(policy, x.data(), x.data() + x.size(), y.data(), squares.begin(), Difference());
  thrust::transform(policy, squares.begin(), squares.end(), squares.begin(), Square());
  Store(std::sqrt(thrust::reduce(policy, squares.begin(), squares.end(), 0.0)), distance, stream);
}

void CountKeys(DeviceSpan<const uint32_t> keys, [[maybe_unused]] int key_bits,
               DeviceSpan<uint32_t> distinct, DeviceSpan<uint32_t> counts,
               DeviceSpan<uint32_t> number, cudaStream_t stream) {
  const auto policy = thrust::cuda::par.on(stream);
  const Array<uint32_t> sorted(keys.size(), stream);
  thrust::copy(policy, keys.data(), keys.data() + keys.size(), sorted.begin());
  thrust::sort(policy, sorted.begin(), sorted.end());
  const auto ends =
      thrust::reduce_by_key(policy, sorted.begin(), sorted.end(),
                            thrust::constant_iterator<uint32_t>(1), distinct.data(), counts.data());
  Store(static_cast<uint32_t>(ends.first - distinct.data()), number, stream);
}

void TopRecords(DeviceSpan<const float> scores, DeviceSpan<const uint32_t> ids,
                DeviceSpan<const float> weights, DeviceSpan<uint32_t> top_ids,
                DeviceSpan<float> top_weights, cudaStream_t stream) {
  const auto policy = thrust::cuda::par.on(stream);
  const std::size_t n = scores.size();
  const Array<float> keys(n, stream);
  const Array<uint32_t> all_ids(n, stream);
  const Array<float> all_weights(n, stream);
  const auto values = thrust::make_zip_iterator(all_ids.begin(), all_weights.begin());
  thrust::copy(policy, scores.data(), scores.data() + n, keys.begin());
  thrust::copy(policy, ids.data(), ids.data() + n, all_ids.begin());
  thrust::copy(policy, weights.data(), weights.data() + n, all_weights.begin());
  thrust::stable_sort_by_key(policy, keys.begin(), keys.end(), values, thrust::greater<float>());
  thrust::copy_n(policy, values, top_ids.size(),
                 thrust::make_zip_iterator(top_ids.data(), top_weights.data()));
}

void RowOffsets(DeviceSpan<const uint32_t> lengths, DeviceSpan<uint32_t> offsets,
                DeviceSpan<uint32_t> nonempty, DeviceSpan<uint32_t> number,
                [[maybe_unused]] DeviceSpan<std::uint8_t> storage, cudaStream_t stream) {
  const auto policy = thrust::cuda::par.on(stream);
  const std::size_t n = lengths.size();
  const Array<uint32_t> all(n + 1, stream);
  const Array<bool> flags(n, stream);
  thrust::copy(policy, lengths.data(), lengths.data() + n, all.begin());
  CUDA_CHECK(cudaMemsetAsync(all.begin() + n, 0, sizeof(uint32_t), stream));
  thrust::exclusive_scan(policy, all.begin(), all.end(), offsets.data());
  thrust::transform(policy, lengths.data(), lengths.data() + n, flags.begin(), IsNotZero());
  const thrust::counting_iterator<uint32_t> first(0);
  const uint32_t* const end =
      thrust::copy_if(policy, first, first + n, nonempty.data(),
                      [flags = flags.begin()] __device__(uint32_t row) { return flags[row]; });
  Store(static_cast<uint32_t>(end - nonempty.data()), number, stream);
}

void SoftmaxRows(DeviceSpan<const float> logits, DeviceSpan<float> probabilities, int rows,
                 int columns, cudaStream_t stream) {
  if (rows == 0 || columns == 0) return;
  const auto policy = thrust::cuda::par.on(stream);
  const std::size_t n = logits.size();
  const auto row =
      thrust::make_transform_iterator(thrust::counting_iterator<int>(0), RowOf{columns});
  const Array<float> of_rows(rows, stream);
  const Array<float> of_numbers(n, stream);
  thrust::reduce_by_key(policy, row, row + n, logits.data(), thrust::make_discard_iterator(),
                        of_rows.begin(), thrust::equal_to<int>(), thrust::maximum<float>());
  thrust::gather(policy, row, row + n, of_rows.begin(), of_numbers.begin());
  thrust::transform(policy, logits.data(), logits.data() + n, of_numbers.begin(),
                    probabilities.data(), ExpOfDifference());
  thrust::reduce_by_key(policy, row, row + n, probabilities.data(), thrust::make_discard_iterator(),
                        of_rows.begin());
  thrust::gather(policy, row, row + n, of_rows.begin(), of_numbers.begin());
  thrust::transform(policy, probabilities.data(), probabilities.data() + n, of_numbers.begin(),
                    probabilities.data(), thrust::divides<float>());
}
