// Times the reference's vector addition beside thrust::transform and a device-to-device copy.
//
//   vecadd_bench [elements]      2^28 unless said
//
// All four run in turn, 21 times after three rounds of warming up; each time is that of CUDA events
// around one call, and the medians are compared. Every result is checked, bit by bit.

#include <cuda_runtime.h>
#include <thrust/device_ptr.h>
#include <thrust/equal.h>
#include <thrust/execution_policy.h>
#include <thrust/functional.h>
#include <thrust/tabulate.h>
#include <thrust/transform.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <functional>
#include <string>
#include <vector>

#include "common/cuda/check.h"
#include "labs/cuda_vecadd/vecadd.h"

namespace {

constexpr int kWarmUp = 3;
constexpr int kRounds = 21;
constexpr int kBlocksPerMultiprocessor = 8;  // of 256 threads: all that can be resident

// n floats of device memory.
class DeviceArray {
 public:
  explicit DeviceArray(std::size_t n) : size_(n) {
    CUDA_CHECK(cudaMalloc(&data_, n * sizeof(float)));
  }
  DeviceArray(const DeviceArray&) = delete;
  DeviceArray& operator=(const DeviceArray&) = delete;
  ~DeviceArray() { cudaFree(data_); }

  float* data() const { return data_; }
  float* end() const { return data_ + size_; }
  DeviceSpan<float> span() const { return {data_, size_}; }
  std::size_t bytes() const { return size_ * sizeof(float); }

 private:
  float* data_ = nullptr;
  std::size_t size_;
};

// A value of element i: whole numbers below 2^16, not the same for different seeds.
struct Value {
  unsigned seed;
  __host__ __device__ float operator()(std::size_t i) const {
    return static_cast<float>((static_cast<unsigned>(i) * 2654435761u + seed) >> 16);
  }
};

struct Contender {
  const char* name;
  std::size_t bytes;  // read and written
  std::function<void()> run;
  std::function<bool()> is_right;
  std::vector<float> milliseconds{};

  double Median() {
    std::nth_element(milliseconds.begin(), milliseconds.begin() + kRounds / 2, milliseconds.end());
    return milliseconds[kRounds / 2];
  }
};

class Stopwatch {
 public:
  explicit Stopwatch(cudaStream_t stream) : stream_(stream) {
    CUDA_CHECK(cudaEventCreate(&start_));
    CUDA_CHECK(cudaEventCreate(&stop_));
  }
  Stopwatch(const Stopwatch&) = delete;
  Stopwatch& operator=(const Stopwatch&) = delete;
  ~Stopwatch() {
    cudaEventDestroy(start_);
    cudaEventDestroy(stop_);
  }

  float Milliseconds(const std::function<void()>& run) {
    CUDA_CHECK(cudaEventRecord(start_, stream_));
    run();
    CUDA_CHECK(cudaEventRecord(stop_, stream_));
    CUDA_CHECK(cudaEventSynchronize(stop_));
    float milliseconds = 0;
    CUDA_CHECK(cudaEventElapsedTime(&milliseconds, start_, stop_));
    return milliseconds;
  }

 private:
  cudaStream_t stream_;
  cudaEvent_t start_{};
  cudaEvent_t stop_{};
};

// Runs all in turn; false as soon as a result is wrong. `output` is poisoned before every run.
bool RunAll(std::vector<Contender>& contenders, const DeviceArray& output, cudaStream_t stream) {
  Stopwatch stopwatch(stream);
  for (int round = -kWarmUp; round < kRounds; ++round) {
    for (Contender& contender : contenders) {
      CUDA_CHECK(cudaMemsetAsync(output.data(), 0xff, output.bytes(), stream));
      const float milliseconds = stopwatch.Milliseconds(contender.run);
      if (!contender.is_right()) {
        std::fprintf(stderr, "error: wrong result: %s\n", contender.name);
        return false;
      }
      if (round >= 0) contender.milliseconds.push_back(milliseconds);
    }
  }
  return true;
}

void Print(std::vector<Contender>& contenders, std::size_t n, const cudaDeviceProp& device) {
  char date[32];
  const std::time_t now = std::time(nullptr);
  std::strftime(date, sizeof(date), "%Y-%m-%d", std::gmtime(&now));
  int runtime = 0;
  CUDA_CHECK(cudaRuntimeGetVersion(&runtime));
  std::printf("%s, CUDA runtime %d.%d, %s: n = %zu floats, medians of %d\n\n", device.name,
              runtime / 1000, runtime % 1000 / 10, date, n, kRounds);
  std::printf("| %-34s | %8s | %8s | %9s | %8s |\n", "what", "ms", "GB/s", "of thrust", "of copy");
  std::printf(
      "| ---------------------------------- | -------: | -------: | --------: | -------: |\n");
  std::vector<double> rates;
  for (Contender& contender : contenders) {
    rates.push_back(static_cast<double>(contender.bytes) / contender.Median() / 1e6);
  }
  for (std::size_t i = 0; i < contenders.size(); ++i) {
    std::printf("| %-34s | %8.4f | %8.1f | %9.3f | %8.3f |\n", contenders[i].name,
                contenders[i].Median(), rates[i], rates[i] / rates[1], rates[i] / rates[0]);
  }
}

bool Run(std::size_t n) {
  cudaDeviceProp device;
  CUDA_CHECK(cudaGetDeviceProperties(&device, 0));
  const int blocks = kBlocksPerMultiprocessor * device.multiProcessorCount;
  const cudaStream_t stream = nullptr;
  const DeviceArray a(n), b(n), c(n), sum(n);
  thrust::tabulate(thrust::device, a.data(), a.end(), Value{1});
  thrust::tabulate(thrust::device, b.data(), b.end(), Value{2'000'000'011u});
  thrust::transform(thrust::device, a.data(), a.end(), b.data(), sum.data(), thrust::plus<float>());

  const auto is_sum = [&] { return thrust::equal(thrust::device, c.data(), c.end(), sum.data()); };
  const auto is_copy = [&] { return thrust::equal(thrust::device, c.data(), c.end(), a.data()); };
  // The copy first and Thrust second: the others are compared with them.
  std::vector<Contender> contenders;
  contenders.push_back({"cudaMemcpy, device to device", 2 * a.bytes(),
                        [&] {
                          CUDA_CHECK(cudaMemcpyAsync(c.data(), a.data(), a.bytes(),
                                                     cudaMemcpyDeviceToDevice, stream));
                        },
                        is_copy});
  contenders.push_back({"thrust::transform", 3 * a.bytes(),
                        [&] {
                          thrust::transform(thrust::cuda::par_nosync.on(stream), a.data(), a.end(),
                                            b.data(), c.data(), thrust::plus<float>());
                        },
                        is_sum});
  contenders.push_back(
      {"VecAdd", 3 * a.bytes(), [&] { VecAdd(a.span(), b.span(), c.span(), stream); }, is_sum});
  contenders.push_back({"VecAddGridStride, 8 blocks per SM", 3 * a.bytes(),
                        [&] { VecAddGridStride(a.span(), b.span(), c.span(), stream, blocks); },
                        is_sum});
  if (!RunAll(contenders, c, stream)) return false;
  Print(contenders, n, device);
  return true;
}

}  // namespace

int main(int argc, char** argv) {
  const std::size_t n = argc > 1 ? std::strtoull(argv[1], nullptr, 10) : std::size_t{1} << 28;
  if (argc > 2 || n == 0) {
    std::fprintf(stderr, "usage: %s [elements, at least 1]\n", argv[0]);
    return 2;
  }
  try {
    return Run(n) ? 0 : 1;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
}
