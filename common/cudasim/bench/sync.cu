// Prints for each block size the CPU time per thread of one barrier, shuffle and __syncwarp():
// "BLOCK BARRIER SHUFFLE SYNCWARP", in nanoseconds, the minimum over some launches on one core.
#include <time.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>

namespace {

constexpr int kGrid = 16;
constexpr int kSteps = 200;
constexpr int kLaunches = 7;

__global__ void Barriers(int* out) {
  int x = threadIdx.x;
  for (int i = 0; i < kSteps; ++i) {
    __syncthreads();
    x = 3 * x + 1;
  }
  out[blockIdx.x * blockDim.x + threadIdx.x] = x;
}

__global__ void Shuffles(int* out) {
  int x = threadIdx.x;
  for (int i = 0; i < kSteps; ++i) x = 3 * __shfl_xor_sync(0xffffffffu, x, 1) + 1;
  out[blockIdx.x * blockDim.x + threadIdx.x] = x;
}

__global__ void WarpBarriers(int* out) {
  int x = threadIdx.x;
  for (int i = 0; i < kSteps; ++i) {
    __syncwarp();
    x = 3 * x + 1;
  }
  out[blockIdx.x * blockDim.x + threadIdx.x] = x;
}

using Kernel = void (*)(int*);

double CpuNanoseconds() {
  timespec now{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return now.tv_sec * 1e9 + now.tv_nsec;
}

// The final value of thread `thread`; shuffles exchange neighbours' values an even number of times.
int Wanted(int thread) {
  unsigned x = thread;
  for (int i = 0; i < kSteps; ++i) x = 3 * x + 1;
  return static_cast<int>(x);
}

void Verify(const int* out, int block) {
  for (int i = 0; i < kGrid * block; ++i) {
    int value;
    cudaMemcpy(&value, out + i, sizeof(int), cudaMemcpyDeviceToHost);
    if (value != Wanted(i % block)) {
      std::fprintf(stderr, "error: wrong result: block %d, element %d: %d, wanted %d\n", block, i,
                   value, Wanted(i % block));
      std::exit(1);
    }
  }
}

double Measure(Kernel kernel, int block, int* out) {
  double least = 1e300;
  for (int i = 0; i < kLaunches; ++i) {
    const double begin = CpuNanoseconds();
    kernel<<<kGrid, block>>>(out);
    cudaDeviceSynchronize();
    least = std::min(least, CpuNanoseconds() - begin);
  }
  Verify(out, block);
  return least / (1.0 * kGrid * block * kSteps);
}

}  // namespace

int main() {
  int* out;
  if (cudaMalloc(&out, kGrid * 1024 * sizeof(int)) != cudaSuccess) return 1;
  for (const int block : {32, 64, 256, 1024}) {
    std::printf("%d %.1f %.1f %.1f\n", block, Measure(Barriers, block, out),
                Measure(Shuffles, block, out), Measure(WarpBarriers, block, out));
  }
  cudaFree(out);
}
