// Compares products of square matrices with cublasSgemm, without TF32.
//
//   matmul_bench [width]...      1024 2048 4096 4093 8192 unless said
//
// Every element of every result is checked against the contract's bound.

#include <cuda_pipeline_primitives.h>
#include <cuda_runtime.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "common/benchmark/device.h"
#include "common/benchmark/device_loops.h"
#include "common/cuda/check.h"
#include "common/cuda/device_array.h"
#include "labs/cuda_matmul/matmul.h"
#include "solutions/cuda_matmul/bench/cublas.h"

// Each sample defines the lab's four functions; all that they include is included above.
namespace warp_tiles {
#include "solutions/cuda_matmul/accepted/warp_tiles_in_a_pipeline.cu"
}
namespace vectorised {
#include "solutions/cuda_matmul/accepted/vectorised_loads.cu"
}
namespace coarsened {
#include "solutions/cuda_matmul/accepted/four_columns_a_thread.cu"
}

namespace {

using lab::Candidate;
using lab::DeviceArray;

constexpr int kThreads = 16;  // in both directions

// Numbers in [-1, 1), not the same for different seeds.
struct SetNumber {
  float* values;
  std::uint64_t seed;
  __device__ void operator()(std::size_t i) const {
    values[i] = static_cast<float>(static_cast<int>(lab::AnyWord(i + seed))) * 0x1p-31f;
  }
};

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

struct IsClose {
  const float* c;
  const double* want;
  const double* tolerances;
  __device__ bool operator()(std::size_t i) const { return abs(c[i] - want[i]) <= tolerances[i]; }
};

// One size: its matrices and what their product should be.
struct Problem {
  explicit Problem(int of_width)
      : width(of_width), n(std::size_t(width) * width), a(n), b(n), c(n), want(n), tolerances(n) {
    lab::ForEach(n, SetNumber{a.data(), 0});
    lab::ForEach(n, SetNumber{b.data(), std::uint64_t{1} << 40});
    const unsigned blocks = (width + kThreads - 1) / kThreads;
    ExactKernel<<<dim3(blocks, blocks), dim3(kThreads, kThreads)>>>(a.data(), b.data(), want.data(),
                                                                    tolerances.data(), width);
    CUDA_CHECK(cudaGetLastError());
    CUDA_CHECK(cudaDeviceSynchronize());
  }

  bool IsRight() const { return lab::AllOf(n, IsClose{c.data(), want.data(), tolerances.data()}); }

  int width;
  std::size_t n;
  DeviceArray<float> a, b, c;
  DeviceArray<double> want, tolerances;
};

// cuBLAS in both of its modes without TF32. The first one is the bar: it is what those get who ask
// for nothing.
struct Libraries {
  Cublas usual{CUBLAS_DEFAULT_MATH};
  Cublas pedantic{CUBLAS_PEDANTIC_MATH};
};

bool Run(std::size_t width, const Libraries& libraries) {
  const Problem on(static_cast<int>(width));
  const double operations = 2.0 * on.width * on.width * on.width;
  const auto entry = [&on, operations](const char* name, std::function<void()> run) {
    return Candidate{name, operations / 1000, std::move(run), [&on] { return on.IsRight(); }};
  };
  const auto baseline = [&](const char* name, const Cublas& cublas) {
    return entry(
        name, [&on, &cublas] { cublas.Multiply(on.a.data(), on.b.data(), on.c.data(), on.width); });
  };
  const auto ours = [&](const char* name, auto* multiply) {
    return entry(name, [&on, multiply] {
      const int n = on.width;
      multiply(on.a.span(), on.b.span(), on.c.span(), n, n, n, nullptr);
    });
  };
  return lab::CompareOnDevice(
      "m = k = n = " + std::to_string(width),
      {baseline("cublasSgemm", libraries.usual),
       baseline("cublasSgemm, pedantic", libraries.pedantic),
       ours("warp_tiles_in_a_pipeline", &warp_tiles::MatMulRegisterTiled),
       ours("vectorised_loads", &vectorised::MatMulRegisterTiled),
       ours("four_columns_a_thread", &coarsened::MatMulRegisterTiled),
       ours("reference, MatMulRegisterTiled", &MatMulRegisterTiled),
       ours("reference, MatMulTiled", &MatMulTiled), ours("reference, MatMul", &MatMul)},
      [&on] { on.c.Fill(0xff); }, "TFLOP/s");
}

bool RunBesideLibraries(std::size_t width) {
  static const Libraries libraries;
  return Run(width, libraries);
}

}  // namespace

int main(int argc, char** argv) {
  return lab::RunSizes(argc, argv, {"width", 1, 32768, {1024, 2048, 4096, 4093, 8192}},
                       RunBesideLibraries);
}
