// Prints a line `NAME,MICROSECONDS,SUM` for each kernel: the CPU time of one launch, the least of
// some on memory that was touched before, and the sum of what it computed. bench.py runs it.
#include <time.h>

#include <algorithm>
#include <cstdio>
#include <vector>

namespace {

constexpr int kBlock = 256;
constexpr int kTile = 16;
constexpr int kElements = 1 << 20;
constexpr int kSide = 256;  // of a matrix
constexpr int kSteps = 200;
constexpr int kLaunches = 5;

__global__ void AddVectors(const float* a, const float* b, float* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < kElements) out[i] = a[i] + b[i];
}

// One sum for each 2 * kBlock elements; nine barriers in each thread.
__global__ void SumBlocks(const float* in, const float*, float* out) {
  __shared__ float part[kBlock];
  const int t = threadIdx.x;
  const int i = blockIdx.x * 2 * kBlock + t;
  part[t] = in[i] + in[i + kBlock];
  __syncthreads();
  for (int stride = kBlock / 2; stride > 0; stride /= 2) {
    if (t < stride) part[t] += part[t + stride];
    __syncthreads();
  }
  if (t == 0) out[blockIdx.x] = part[0];
}

__global__ void MultiplyTiles(const float* a, const float* b, float* out) {
  __shared__ float tile_a[kTile][kTile];
  __shared__ float tile_b[kTile][kTile];
  const int x = threadIdx.x % kTile;
  const int y = threadIdx.x / kTile;
  const int row = blockIdx.x / (kSide / kTile) * kTile + y;
  const int column = blockIdx.x % (kSide / kTile) * kTile + x;
  float sum = 0.0f;
  for (int k = 0; k < kSide; k += kTile) {
    tile_a[y][x] = a[row * kSide + k + x];
    tile_b[y][x] = b[(k + y) * kSide + column];
    __syncthreads();
    for (int j = 0; j < kTile; ++j) sum += tile_a[y][j] * tile_b[j][x];
    __syncthreads();
  }
  out[row * kSide + column] = sum;
}

// A histogram of eight values, privatized in shared memory.
__global__ void CountValues(const float* in, const float*, float* out) {
  __shared__ unsigned part[8];
  if (threadIdx.x < 8) part[threadIdx.x] = 0;
  __syncthreads();
  const int stride = gridDim.x * blockDim.x;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < kElements; i += stride) {
    atomicAdd(&part[static_cast<int>(in[i])], 1u);
  }
  __syncthreads();
  if (threadIdx.x < 8) out[blockIdx.x * 8 + threadIdx.x] = static_cast<float>(part[threadIdx.x]);
}

__global__ void Barriers(const float*, const float*, float* out) {
  for (int i = 0; i < kSteps; ++i) __syncthreads();
  out[blockIdx.x * blockDim.x + threadIdx.x] = 1;
}

__global__ void Shuffles(const float*, const float*, float* out) {
  unsigned x = threadIdx.x;
  for (int i = 0; i < kSteps; ++i) x = __shfl_xor_sync(0xffffffffu, x, 1);
  out[blockIdx.x * blockDim.x + threadIdx.x] = static_cast<float>(x);
}

struct Row {
  const char* name;
  void (*kernel)(const float*, const float*, float*);
  int blocks;
};

constexpr Row kRows[] = {
    {"vector addition", AddVectors, kElements / kBlock},
    {"reduction", SumBlocks, kElements / kBlock / 2},
    {"matrix product", MultiplyTiles, kSide* kSide / kBlock},
    {"shared histogram", CountValues, 64},
    {"200 barriers", Barriers, 16},
    {"200 shuffles", Shuffles, 16},
};

// An array on the device, of small integers, so that sums are exact in any order.
float* NewArray(unsigned seed) {
  std::vector<float> values(kElements);
  for (float& value : values) value = static_cast<float>((seed = seed * 1664525u + 1) >> 29);
  float* array = nullptr;
  cudaMalloc(&array, kElements * sizeof(float));
  cudaMemcpy(array, values.data(), kElements * sizeof(float), cudaMemcpyHostToDevice);
  return array;
}

double CpuMicroseconds() {
  timespec now{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) * 1e6 + static_cast<double>(now.tv_nsec) / 1e3;
}

}  // namespace

int main() {
  float* const a = NewArray(1);
  float* const b = NewArray(2);
  float* const out = NewArray(3);
  std::vector<float> values(kElements);
  for (const Row& row : kRows) {
    cudaMemset(out, 0, kElements * sizeof(float));
    double least = 1e300;
    for (int i = 0; i < kLaunches; ++i) {
      const double begin = CpuMicroseconds();
      row.kernel<<<row.blocks, kBlock>>>(a, b, out);
      cudaDeviceSynchronize();
      least = std::min(least, CpuMicroseconds() - begin);
    }
    cudaMemcpy(values.data(), out, kElements * sizeof(float), cudaMemcpyDeviceToHost);
    double sum = 0;
    for (const float value : values) sum += value;
    std::printf("%s,%.1f,%.0f\n", row.name, least, sum);
  }
  for (float* const array : {a, b, out}) cudaFree(array);
}
