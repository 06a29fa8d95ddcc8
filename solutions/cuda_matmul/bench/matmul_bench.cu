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
#include <functional>
#include <utility>
#include <vector>

#include "common/cuda/check.h"
#include "common/cuda/contest.h"
#include "common/cuda/device_array.h"
#include "labs/cuda_matmul/matmul.h"
#include "solutions/cuda_matmul/bench/cublas.h"

// Each sample defines the lab's four functions; all that they include is included above.
namespace warp_tiles {
#include "solutions/cuda_matmul/accepted/warp_tiles_two_buffers.cu"
}
namespace vectorised {
#include "solutions/cuda_matmul/accepted/vectorised_loads.cu"
}
namespace coarsened {
#include "solutions/cuda_matmul/accepted/four_columns_a_thread.cu"
}

namespace {

using lab::Contender;
using lab::DeviceArray;

constexpr int kThreads = 16;  // in both directions

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
    count.Fill(0);
    CountWrongKernel<<<BlocksOf256(n), 256>>>(c.data(), want.data(), tolerances.data(), n,
                                              count.data());
    return count.First() == 0;
  }

  int width;
  std::size_t n;
  DeviceArray<float> a, b, c;
  DeviceArray<double> want, tolerances;
  DeviceArray<unsigned> count;
};

// cuBLAS in both of its modes without TF32. The first one is the bar: it is what those get who ask
// for nothing.
struct Libraries {
  Cublas usual{CUBLAS_DEFAULT_MATH};
  Cublas pedantic{CUBLAS_PEDANTIC_MATH};
};

std::vector<Contender> ContendersFor(const Problem& on, const Libraries& libraries) {
  const double operations = 2.0 * on.width * on.width * on.width;
  const auto contender = [&on, operations](const char* name, std::function<void()> run) {
    return Contender{name, operations, std::move(run), [&on] { return on.IsRight(); }};
  };
  const auto peer = [&](const char* name, const Cublas& cublas) {
    return contender(
        name, [&on, &cublas] { cublas.Multiply(on.a.data(), on.b.data(), on.c.data(), on.width); });
  };
  const auto ours = [&](const char* name, auto* multiply) {
    return contender(name, [&on, multiply] {
      const int n = on.width;
      multiply(on.a.span(), on.b.span(), on.c.span(), n, n, n, nullptr);
    });
  };
  return {peer("cublasSgemm", libraries.usual),
          peer("cublasSgemm, pedantic", libraries.pedantic),
          ours("warp_tiles_two_buffers", &warp_tiles::MatMulRegisterTiled),
          ours("vectorised_loads", &vectorised::MatMulRegisterTiled),
          ours("four_columns_a_thread", &coarsened::MatMulRegisterTiled),
          ours("reference, MatMulRegisterTiled", &MatMulRegisterTiled),
          ours("reference, MatMulTiled", &MatMulTiled),
          ours("reference, MatMul", &MatMul)};
}

bool Run(int width, const Libraries& libraries) {
  const Problem problem(width);
  std::vector<Contender> contenders = ContendersFor(problem, libraries);
  if (!lab::RunContest(contenders, [&] { problem.c.Fill(0xff); })) return false;
  std::printf("\nm = k = n = %d, medians of %d\n\n", width, lab::kContestRounds);
  std::printf("| %-32s | %8s | %8s | %9s |\n", "what", "ms", "TFLOP/s", "of cuBLAS");
  std::printf("| -------------------------------- | -------: | -------: | --------: |\n");
  const double bar = contenders.front().Rate();
  for (const Contender& contender : contenders) {
    std::printf("| %-32s | %8.4f | %8.2f | %9.3f |\n", contender.name.c_str(), contender.Median(),
                contender.Rate() / 1000, contender.Rate() / bar);
  }
  return true;
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
    std::printf("%s\n", lab::Machine().c_str());
    const Libraries libraries;
    for (const int width : widths) {
      if (!Run(width, libraries)) return 1;
    }
    return 0;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
}
