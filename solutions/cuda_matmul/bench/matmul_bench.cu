// Times accepted solutions of part 4 and the reference beside cublasSgemm, without TF32.
//
//   matmul_bench [width...]      1024 2048 4096 4093 8192 unless said; square matrices
//
// All run in turn, 21 times after three rounds of warming up; each time is that of CUDA events
// around one call, and the medians are compared. Every element of every result is checked against
// the contract's bound.

#include <cuda_runtime.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <functional>
#include <type_traits>
#include <vector>

#include "common/cuda/check.h"
#include "labs/cuda_matmul/matmul.h"
#include "solutions/cuda_matmul/bench/cublas.h"

// Each sample defines the lab's four functions; all that they include is included above.
namespace warp_tiles {
#include "solutions/cuda_matmul/accepted/warp_tiles_two_buffers.cu"
}
namespace vectorised {
#include "solutions/cuda_matmul/accepted/vectorised_loads.cu"
}
namespace two_dimensional {
#include "solutions/cuda_matmul/accepted/two_dimensional_register_tiles.cu"
}
namespace one_dimensional {
#include "solutions/cuda_matmul/accepted/one_dimensional_register_tiles.cu"
}
namespace coarsened {
#include "solutions/cuda_matmul/accepted/four_columns_a_thread.cu"
}

namespace {

constexpr int kWarmUp = 3;
constexpr int kRounds = 21;
constexpr int kThreads = 16;  // in both directions

// n elements of device memory.
template <typename T>
class DeviceArray {
 public:
  explicit DeviceArray(std::size_t n) : size_(n) { CUDA_CHECK(cudaMalloc(&data_, n * sizeof(T))); }
  DeviceArray(const DeviceArray&) = delete;
  DeviceArray& operator=(const DeviceArray&) = delete;
  ~DeviceArray() { cudaFree(data_); }

  T* data() const { return data_; }
  std::size_t bytes() const { return size_ * sizeof(T); }
  DeviceSpan<T> span() const { return {data_, size_}; }

 private:
  T* data_ = nullptr;
  std::size_t size_;
};

// Numbers in [-1, 1), not the same for different seeds.
__global__ void FillKernel(float* values, std::size_t n, unsigned seed) {
  const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  unsigned x = static_cast<unsigned>(i) * 2654435761u + seed;
  x = (x ^ x >> 16) * 0x7feb352du;
  x = (x ^ x >> 15) * 0x846ca68bu;
  if (i < n) values[i] = static_cast<float>(static_cast<int>(x ^ x >> 16)) * 0x1p-31f;
}

// The product in double precision, and how far a float may be from it: see the contract.
__global__ void ExactKernel(const float* a, const float* b, double* c, double* tolerances, int n) {
  const int row = blockIdx.y * blockDim.y + threadIdx.y;
  const int column = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= n || column >= n) return;
  double sum = 0;
  double size = 0;
  for (int i = 0; i < n; ++i) {
    const double product = double{a[row * n + i]} * b[i * n + column];
    sum += product;
    size += abs(product);
  }
  c[row * n + column] = sum;
  tolerances[row * n + column] = size * n * 0x1p-24 / (1 - n * 0x1p-24);
}

__global__ void CountWrongKernel(const float* c, const double* want, const double* tolerances,
                                 std::size_t n, unsigned* wrong) {
  const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i < n && !(abs(c[i] - want[i]) <= tolerances[i])) atomicAdd(wrong, 1u);
}

unsigned BlocksOf256(std::size_t n) { return static_cast<unsigned>((n + 255) / 256); }

// One size: its matrices and what their product should be.
struct Problem {
  explicit Problem(int of_width)
      : width(of_width),
        n(std::size_t(width) * width),
        a(n),
        b(n),
        c(n),
        want(n),
        tolerances(n),
        count(1) {
    FillKernel<<<BlocksOf256(n), 256>>>(a.data(), n, 1);
    FillKernel<<<BlocksOf256(n), 256>>>(b.data(), n, 2'000'000'011u);
    const unsigned blocks = (width + kThreads - 1) / kThreads;
    ExactKernel<<<dim3(blocks, blocks), dim3(kThreads, kThreads)>>>(a.data(), b.data(), want.data(),
                                                                    tolerances.data(), width);
    CUDA_CHECK(cudaGetLastError());
    CUDA_CHECK(cudaDeviceSynchronize());
  }

  bool IsRight() const {
    CUDA_CHECK(cudaMemset(count.data(), 0, count.bytes()));
    CountWrongKernel<<<BlocksOf256(n), 256>>>(c.data(), want.data(), tolerances.data(), n,
                                              count.data());
    unsigned wrong = 0;
    CUDA_CHECK(cudaMemcpy(&wrong, count.data(), sizeof(wrong), cudaMemcpyDeviceToHost));
    return wrong == 0;
  }

  int width;
  std::size_t n;
  DeviceArray<float> a, b, c;
  DeviceArray<double> want, tolerances;
  DeviceArray<unsigned> count;
};

struct Contender {
  const char* name;
  std::function<void()> run;
  std::vector<float> milliseconds{};

  double Median() {
    std::nth_element(milliseconds.begin(), milliseconds.begin() + kRounds / 2, milliseconds.end());
    return milliseconds[kRounds / 2];
  }
};

class Stopwatch {
 public:
  Stopwatch() {
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
    CUDA_CHECK(cudaEventRecord(start_));
    run();
    CUDA_CHECK(cudaEventRecord(stop_));
    CUDA_CHECK(cudaEventSynchronize(stop_));
    float milliseconds = 0;
    CUDA_CHECK(cudaEventElapsedTime(&milliseconds, start_, stop_));
    return milliseconds;
  }

 private:
  cudaEvent_t start_{};
  cudaEvent_t stop_{};
};

std::vector<Contender> ContendersFor(const Problem& on, const Cublas& cublas) {
  const auto with = [&on](auto* multiply) {
    return [&on, multiply] {
      const int n = on.width;
      multiply(on.a.span(), on.b.span(), on.c.span(), n, n, n, nullptr);
    };
  };
  return {
      {"cublasSgemm", [&] { cublas.Multiply(on.a.data(), on.b.data(), on.c.data(), on.width); }},
      {"warp_tiles_two_buffers", with(&warp_tiles::MatMulRegisterTiled)},
      {"two_dimensional_register_tiles", with(&two_dimensional::MatMulRegisterTiled)},
      {"vectorised_loads", with(&vectorised::MatMulRegisterTiled)},
      {"one_dimensional_register_tiles", with(&one_dimensional::MatMulRegisterTiled)},
      {"four_columns_a_thread", with(&coarsened::MatMulRegisterTiled)},
      {"reference, MatMulRegisterTiled", with(&MatMulRegisterTiled)},
      {"reference, MatMulTiled", with(&MatMulTiled)},
      {"reference, MatMul", with(&MatMul)}};
}

// Runs all in turn; false as soon as a result is wrong. C is poisoned before every run.
bool RunAll(std::vector<Contender>& contenders, const Problem& on) {
  Stopwatch stopwatch;
  for (int round = -kWarmUp; round < kRounds; ++round) {
    for (Contender& contender : contenders) {
      CUDA_CHECK(cudaMemset(on.c.data(), 0xff, on.c.bytes()));
      const float milliseconds = stopwatch.Milliseconds(contender.run);
      if (!on.IsRight()) {
        std::fprintf(stderr, "error: wrong result: %s\n", contender.name);
        return false;
      }
      if (round >= 0) contender.milliseconds.push_back(milliseconds);
    }
  }
  return true;
}

bool Run(int width, const Cublas& cublas) {
  const Problem problem(width);
  std::vector<Contender> contenders = ContendersFor(problem, cublas);
  if (!RunAll(contenders, problem)) return false;
  std::printf("\nm = k = n = %d, medians of %d\n\n", width, kRounds);
  std::printf("| %-32s | %8s | %8s | %9s |\n", "what", "ms", "TFLOP/s", "of cuBLAS");
  std::printf("| -------------------------------- | -------: | -------: | --------: |\n");
  const double operations = 2.0 * width * width * width;
  const double bar = contenders[0].Median();
  for (Contender& contender : contenders) {
    const double milliseconds = contender.Median();
    std::printf("| %-32s | %8.4f | %8.2f | %9.3f |\n", contender.name, milliseconds,
                operations / milliseconds / 1e9, bar / milliseconds);
  }
  return true;
}

void PrintMachine() {
  cudaDeviceProp device;
  CUDA_CHECK(cudaGetDeviceProperties(&device, 0));
  int runtime = 0;
  CUDA_CHECK(cudaRuntimeGetVersion(&runtime));
  char date[32];
  const std::time_t now = std::time(nullptr);
  std::strftime(date, sizeof(date), "%Y-%m-%d", std::gmtime(&now));
  std::printf("%s, CUDA runtime %d.%d, %s\n", device.name, runtime / 1000, runtime % 1000 / 10,
              date);
}

}  // namespace

int main(int argc, char** argv) {
  std::vector<int> widths;
  for (int i = 1; i < argc; ++i) widths.push_back(std::atoi(argv[i]));
  if (widths.empty()) widths = {1024, 2048, 4096, 4093, 8192};
  if (std::any_of(widths.begin(), widths.end(), [](int w) { return w < 1 || w > 32768; })) {
    std::fprintf(stderr, "usage: %s [width, 1 to 32768]...\n", argv[0]);
    return 2;
  }
  try {
    PrintMachine();
    const Cublas cublas;
    for (const int width : widths) {
      if (!Run(width, cublas)) return 1;
    }
    return 0;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
}
