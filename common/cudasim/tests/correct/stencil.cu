// Neighbours on a grid: halos, ghost cells, sweeps.
#include "common/cudasim/tests/correct/correct.h"

namespace {

constexpr int kRadius = 2;
constexpr int kBlock = 32;
constexpr int kCount = 131;
constexpr int kGrid = (kCount + kBlock - 1) / kBlock;

__constant__ int weights[2 * kRadius + 1];
__device__ int weighted_calls;

std::vector<int> Weights() { return {1, -2, 3, -4, 5}; }

std::vector<int> Convolved(const std::vector<int>& in) {
  const std::vector<int> w = Weights();
  std::vector<int> out(in.size());
  for (int i = 0; i < kCount; ++i) {
    for (int k = -kRadius; k <= kRadius; ++k) {
      if (i + k >= 0 && i + k < kCount) out[i] += w[k + kRadius] * in[i + k];
    }
  }
  return out;
}

__global__ void Convolve(const int* __restrict__ in, int* __restrict__ out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= kCount) return;
  int sum = 0;
  for (int k = -kRadius; k <= kRadius; ++k) {
    if (i + k >= 0 && i + k < kCount) sum += weights[k + kRadius] * __ldg(&in[i + k]);
  }
  out[i] = sum;
  atomicAdd(&weighted_calls, 1);
}

// The tile with halo cells on both sides.
__global__ void ConvolveTile(const int* in, int* out) {
  __shared__ int tile[kBlock + 2 * kRadius];
  const int i = blockIdx.x * kBlock + threadIdx.x;
  const int t = threadIdx.x + kRadius;
  tile[t] = i < kCount ? in[i] : 0;
  if (threadIdx.x < kRadius) {
    tile[t - kRadius] = i >= kRadius ? in[i - kRadius] : 0;
    tile[t + kBlock] = i + kBlock < kCount ? in[i + kBlock] : 0;
  }
  __syncthreads();
  int sum = 0;
  for (int k = -kRadius; k <= kRadius; ++k) sum += weights[k + kRadius] * tile[t + k];
  if (i < kCount) out[i] = sum;
}

__global__ void Smooth(const int* in, int* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  out[i] = in[i] + (i > 0 ? in[i - 1] : 0) + (i < n - 1 ? in[i + 1] : 0);
}

// All sweeps in one block: a barrier between reading and writing.
__global__ void SmoothInPlace(int* values, int n, int sweeps) {
  const int i = threadIdx.x;
  for (int sweep = 0; sweep < sweeps; ++sweep) {
    const int left = i > 0 ? values[i - 1] : 0;
    const int right = i < n - 1 ? values[i + 1] : 0;
    __syncthreads();
    values[i] += left + right;
    __syncthreads();
  }
}

// Planes of a cube roll through registers; each thread owns a column.
__global__ void SevenPoint(const int* in, int* out, int n) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < 1 || y < 1 || x >= n - 1 || y >= n - 1) return;
  const int plane = n * n;
  const int column = y * n + x;
  int below = in[column], here = in[plane + column];
  for (int z = 1; z < n - 1; ++z) {
    const int at = z * plane + column;
    const int above = in[at + plane];
    out[at] = below + above + in[at - 1] + in[at + 1] + in[at - n] + in[at + n] - 6 * here;
    below = here;
    here = above;
  }
}

bool ConvolvesWith(void (*kernel)(const int*, int*)) {
  const std::vector<int> w = Weights(), values = Numbers(kCount);
  cudaMemcpyToSymbol(weights, w.data(), w.size() * sizeof(int));
  const DeviceArray<int> in(values), out(kCount);
  kernel<<<kGrid, kBlock>>>(in.get(), out.get());
  return out.ToHost() == Convolved(values);
}

bool ConvolutionFromConstantMemory() {
  const int none = 0;
  int calls = -1;
  cudaMemcpyToSymbol(weighted_calls, &none, sizeof(none));
  if (!ConvolvesWith(Convolve)) return false;
  cudaMemcpyFromSymbol(&calls, weighted_calls, sizeof(calls));
  return calls == kCount;
}

bool ConvolutionWithHalo() { return ConvolvesWith(ConvolveTile); }

std::vector<int> SmoothedTwice(std::vector<int> values, int sweeps) {
  for (int sweep = 0; sweep < sweeps; ++sweep) {
    const std::vector<int> old = values;
    for (std::size_t i = 0; i < values.size(); ++i) {
      values[i] += (i > 0 ? old[i - 1] : 0) + (i + 1 < old.size() ? old[i + 1] : 0);
    }
  }
  return values;
}

bool DoubleBufferedSweeps() {
  const std::vector<int> values = Numbers(kCount);
  const DeviceArray<int> a(values), b(kCount);
  int *from = a.get(), *to = b.get();
  for (int sweep = 0; sweep < 4; ++sweep) {
    Smooth<<<kGrid, kBlock>>>(from, to, kCount);
    std::swap(from, to);
  }
  return a.ToHost() == SmoothedTwice(values, 4);
}

bool SweepsInOneBlock() {
  const std::vector<int> values = Numbers(77);
  const DeviceArray<int> data(values);
  SmoothInPlace<<<1, 77>>>(data.get(), 77, 3);
  return data.ToHost() == SmoothedTwice(values, 3);
}

bool SevenPointStencil() {
  constexpr int n = 10;
  const std::vector<int> values = Numbers(n * n * n);
  const DeviceArray<int> in(values), out(values.size());
  SevenPoint<<<dim3(2, 3), dim3(8, 4)>>>(in.get(), out.get(), n);
  const std::vector<int> got = out.ToHost();
  for (int z = 0; z < n; ++z) {
    for (int y = 0; y < n; ++y) {
      for (int x = 0; x < n; ++x) {
        const int at = (z * n + y) * n + x;
        const bool inside = x > 0 && y > 0 && z > 0 && x < n - 1 && y < n - 1 && z < n - 1;
        const int expected = inside ? values[at - n * n] + values[at + n * n] + values[at - 1] +
                                          values[at + 1] + values[at - n] + values[at + n] -
                                          6 * values[at]
                                    : 0;
        if (got[at] != expected) return false;
      }
    }
  }
  return true;
}

// Consecutive threads, also of two blocks, share a word; each changes a byte of its own.
__global__ void SmoothBytes(unsigned char* values, int n) {
  __shared__ unsigned char tile[kBlock];
  const int t = threadIdx.x;
  const int i = blockIdx.x * blockDim.x + t;
  const int count = min(static_cast<int>(blockDim.x), n - static_cast<int>(i - t));
  if (i < n) tile[t] = values[i];
  __syncthreads();
  if (t >= count) return;
  const int left = t > 0 ? tile[t - 1] : 0;
  const int right = t + 1 < count ? tile[t + 1] : 0;
  values[i] = static_cast<unsigned char>(values[i] + left + right);
}

bool BytesInPlace() {
  constexpr int kOdd = 27;
  std::vector<unsigned char> values(kCount);
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<unsigned char>(i % 50);
  const DeviceArray<unsigned char> data(values);
  SmoothBytes<<<(kCount + kOdd - 1) / kOdd, kOdd>>>(data.get(), kCount);
  const std::vector<unsigned char> got = data.ToHost();
  for (int i = 0; i < kCount; ++i) {
    const bool first = i % kOdd == 0;
    const bool last = i % kOdd == kOdd - 1 || i == kCount - 1;
    const int expected = i % 50 + (first ? 0 : (i - 1) % 50) + (last ? 0 : (i + 1) % 50);
    if (got[static_cast<std::size_t>(i)] != expected) return false;
  }
  return true;
}

}  // namespace

int main(int argc, char** argv) {
  return RunCase(
      argc, argv,
      {CASE(ConvolutionFromConstantMemory), CASE(ConvolutionWithHalo), CASE(DoubleBufferedSweeps),
       CASE(SweepsInOneBlock), CASE(SevenPointStencil), CASE(BytesInPlace)});
}
