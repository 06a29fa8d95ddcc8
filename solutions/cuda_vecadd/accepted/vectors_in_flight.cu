// Right, and made for a real GPU: vectors of four floats that tell the caches that nothing is used
// twice, or pairs of floats, whichever is ahead for the size. Pixels go four to a word; the blur
// keeps the sums of its columns while it walks down a strip.

#include <cuda_runtime.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "common/cuda/check.h"
#include "labs/cuda_vecadd/vecadd.h"

namespace {

struct Cached {
  static __device__ float4 Load(const float4* from) { return *from; }
  static __device__ void Store(float4* to, float4 value) { *to = value; }
};

struct Streamed {
  static __device__ float4 Load(const float4* from) { return __ldcs(from); }
  static __device__ void Store(float4* to, float4 value) { __stcs(to, value); }
};

__device__ float4 Sum(float4 x, float4 y) {
  return make_float4(x.x + y.x, x.y + y.y, x.z + y.z, x.w + y.w);
}

// The vectors i, i + stride, ..., kEach in all: every load is on its way before the first sum.
template <int kEach, typename Access>
__device__ void AddEach(const float4* a, const float4* b, float4* c, std::size_t i,
                        std::size_t stride) {
  float4 x[kEach];
  float4 y[kEach];
#pragma unroll
  for (int j = 0; j < kEach; ++j) {
    x[j] = Access::Load(a + i + j * stride);
    y[j] = Access::Load(b + i + j * stride);
  }
#pragma unroll
  for (int j = 0; j < kEach; ++j) {
    const float4 sum = Sum(x[j], y[j]);
    Access::Store(c + i + j * stride, sum);
  }
}

// The n % 4 floats behind the vectors.
__device__ void AddTail(const float* a, const float* b, float* c, std::size_t n,
                        std::size_t thread) {
  const std::size_t i = n / 4 * 4 + thread;
  if (i < n) c[i] = a[i] + b[i];
}

// A block adds kEach * kThreads vectors, in rounds of kThreads.
template <int kThreads, int kEach, typename Access>
__global__ void __launch_bounds__(kThreads)
    AddKernel(const float* a, const float* b, float* c, std::size_t n) {
  const auto* a4 = reinterpret_cast<const float4*>(a);
  const auto* b4 = reinterpret_cast<const float4*>(b);
  auto* c4 = reinterpret_cast<float4*>(c);
  const std::size_t vectors = n / 4;
  const std::size_t first = std::size_t{blockIdx.x} * (kEach * kThreads) + threadIdx.x;
  if (first + (kEach - 1) * kThreads < vectors) {
    AddEach<kEach, Access>(a4, b4, c4, first, kThreads);
  } else {
    for (std::size_t i = first; i < vectors; i += kThreads) {
      AddEach<1, Access>(a4, b4, c4, i, kThreads);
    }
  }
  if (blockIdx.x == 0) AddTail(a, b, c, n, threadIdx.x);
}

// Two floats a thread, and the last one alone if n is odd.
template <int kThreads>
__global__ void __launch_bounds__(kThreads)
    AddPairsKernel(const float* a, const float* b, float* c, unsigned n) {
  const unsigned i = blockIdx.x * kThreads + threadIdx.x;
  if (i < n / 2) {
    const float2 x = reinterpret_cast<const float2*>(a)[i];
    const float2 y = reinterpret_cast<const float2*>(b)[i];
    reinterpret_cast<float2*>(c)[i] = make_float2(x.x + y.x, x.y + y.y);
  } else if (2 * i < n) {
    c[2 * i] = a[2 * i] + b[2 * i];
  }
}

template <int kThreads, int kEach, typename Access>
__global__ void __launch_bounds__(kThreads)
    AddGridStrideKernel(const float* a, const float* b, float* c, std::size_t n) {
  const auto* a4 = reinterpret_cast<const float4*>(a);
  const auto* b4 = reinterpret_cast<const float4*>(b);
  auto* c4 = reinterpret_cast<float4*>(c);
  const std::size_t vectors = n / 4;
  const std::size_t stride = std::size_t{gridDim.x} * kThreads;
  const std::size_t thread = std::size_t{blockIdx.x} * kThreads + threadIdx.x;
  std::size_t i = thread;
  for (; i + (kEach - 1) * stride < vectors; i += kEach * stride) {
    AddEach<kEach, Access>(a4, b4, c4, i, stride);
  }
  for (; i < vectors; i += stride) AddEach<1, Access>(a4, b4, c4, i, stride);
  AddTail(a, b, c, n, thread);
}

template <int kThreads, int kEach, typename Access>
void Add(DeviceSpan<const float> a, DeviceSpan<const float> b, DeviceSpan<float> c,
         cudaStream_t stream) {
  const std::size_t n = c.size();
  if (n == 0) return;
  constexpr std::size_t kOfABlock = 4 * kEach * kThreads;
  const auto blocks = static_cast<unsigned>((n + kOfABlock - 1) / kOfABlock);
  AddKernel<kThreads, kEach, Access>
      <<<blocks, kThreads, 0, stream>>>(a.data(), b.data(), c.data(), n);
  CUDA_CHECK(cudaGetLastError());
}

template <int kThreads>
void AddPairs(DeviceSpan<const float> a, DeviceSpan<const float> b, DeviceSpan<float> c,
              cudaStream_t stream) {
  const auto n = static_cast<unsigned>(c.size());
  if (n == 0) return;
  constexpr unsigned kOfABlock = 2 * kThreads;
  AddPairsKernel<kThreads>
      <<<(n + kOfABlock - 1) / kOfABlock, kThreads, 0, stream>>>(a.data(), b.data(), c.data(), n);
  CUDA_CHECK(cudaGetLastError());
}

template <int kThreads, int kEach, typename Access>
void AddGridStride(DeviceSpan<const float> a, DeviceSpan<const float> b, DeviceSpan<float> c,
                   cudaStream_t stream, int blocks) {
  AddGridStrideKernel<kThreads, kEach, Access>
      <<<blocks, kThreads, 0, stream>>>(a.data(), b.data(), c.data(), c.size());
  CUDA_CHECK(cudaGetLastError());
}

// n floats in device memory.
class DeviceArray {
 public:
  explicit DeviceArray(std::size_t n) : size_(n) {
    CUDA_CHECK(cudaMalloc(&data_, n * sizeof(float)));
  }
  explicit DeviceArray(std::span<const float> values) : DeviceArray(values.size()) {
    CUDA_CHECK(cudaMemcpy(data_, values.data(), values.size_bytes(), cudaMemcpyHostToDevice));
  }
  DeviceArray(const DeviceArray&) = delete;
  DeviceArray& operator=(const DeviceArray&) = delete;
  ~DeviceArray() { cudaFree(data_); }

  DeviceSpan<float> span() const { return {data_, size_}; }

 private:
  float* data_ = nullptr;
  std::size_t size_;
};

}  // namespace

void VecAddHost(std::span<const float> a, std::span<const float> b, std::span<float> c) {
  const DeviceArray device_a(a);
  const DeviceArray device_b(b);
  const DeviceArray device_c(c.size());
  VecAdd(device_a.span(), device_b.span(), device_c.span(), nullptr);
  CUDA_CHECK(cudaMemcpy(c.data(), device_c.span().data(), c.size_bytes(), cudaMemcpyDeviceToHost));
}

void VecAdd(DeviceSpan<const float> a, DeviceSpan<const float> b, DeviceSpan<float> c,
            cudaStream_t stream) {
  // On an H100 streamed vectors are ahead at 2^24 floats, which is a few times what its caches
  // hold. Pairs are from 2^26 on: half as many bytes are under way at a time, and still enough.
  constexpr std::size_t kStreamedUpTo = std::size_t{1} << 25;
  if (c.size() <= kStreamedUpTo) {
    Add<512, 1, Streamed>(a, b, c, stream);
  } else {
    AddPairs<512>(a, b, c, stream);
  }
}

void VecAddGridStride(DeviceSpan<const float> a, DeviceSpan<const float> b, DeviceSpan<float> c,
                      cudaStream_t stream, int blocks) {
  AddGridStride<256, 4, Cached>(a, b, c, stream, blocks);
}

namespace {

constexpr int kPixelThreads = 128;
constexpr int kStrip = 32;         // rows of a thread
constexpr int kLargestRadius = 4;  // a window touches a word and its two neighbours

__device__ unsigned Scaled(unsigned value, int percent) {
  return min(255u, (value * percent + 50) / 100);
}

__device__ unsigned ScaledWord(unsigned four, int percent) {
  unsigned result = 0;
#pragma unroll
  for (int shift = 0; shift < 32; shift += 8) {
    result |= Scaled(four >> shift & 255, percent) << shift;
  }
  return result;
}

// Sixteen pixels a thread, and the rest one by one.
__global__ void ScaleKernel(const std::uint8_t* picture, std::uint8_t* scaled, std::size_t pixels,
                            int percent) {
  const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i < pixels / 16) {
    const uint4 in = reinterpret_cast<const uint4*>(picture)[i];
    const uint4 out = make_uint4(ScaledWord(in.x, percent), ScaledWord(in.y, percent),
                                 ScaledWord(in.z, percent), ScaledWord(in.w, percent));
    reinterpret_cast<uint4*>(scaled)[i] = out;
  }
  const std::size_t rest = pixels / 16 * 16 + i;
  if (rest < pixels) scaled[rest] = static_cast<std::uint8_t>(Scaled(picture[rest], percent));
}

__global__ void BlurKernel(const std::uint8_t* scaled, std::uint8_t* blurred, int width, int height,
                           int radius) {
  const int column = blockIdx.x * blockDim.x + threadIdx.x;
  const int row = blockIdx.y * blockDim.y + threadIdx.y;
  if (row >= height || column >= width) return;
  const int top = max(0, row - radius), bottom = min(height - 1, row + radius);
  const int left = max(0, column - radius), right = min(width - 1, column + radius);
  int sum = 0;
  for (int r = top; r <= bottom; ++r) {
    for (int c = left; c <= right; ++c) sum += scaled[r * width + c];
  }
  const int pixels = (bottom - top + 1) * (right - left + 1);
  blurred[row * width + column] = static_cast<std::uint8_t>((sum + pixels / 2) / pixels);
}

// Adds sign times the 2 kRadius + 1 pixels around each pixel of word q of a row to sums.
template <int kRadius>
__device__ void AddRow(const unsigned* row, int q, int words, int sign, int (&sums)[4]) {
  const unsigned near[3] = {q > 0 ? row[q - 1] : 0, row[q], q + 1 < words ? row[q + 1] : 0};
  const auto pixel = [&](int k) { return static_cast<int>(near[k / 4] >> k % 4 * 8 & 255); };
  int window = 0;
#pragma unroll
  for (int k = 4 - kRadius; k <= 4 + kRadius; ++k) window += pixel(k);
  sums[0] += sign * window;
#pragma unroll
  for (int j = 1; j < 4; ++j) {
    window += pixel(4 + j + kRadius) - pixel(3 + j - kRadius);
    sums[j] += sign * window;
  }
}

// A thread blurs the four pixels of a word in kStrip rows. Going down by one row, a row joins the
// window and another leaves it. Quotients by a product: with m = ceil(2^32 / p), x * m / 2^32 is
// rounded down to x / p as long as x * p < 2^32; here x < 2^15 and 1 < p <= 81.
template <int kRadius>
__global__ void __launch_bounds__(kPixelThreads)
    StripKernel(const std::uint8_t* scaled, std::uint8_t* blurred, int width, int height) {
  const int words = width / 4;
  const int q = blockIdx.x * kPixelThreads + threadIdx.x;
  if (q >= words) return;
  const auto* in = reinterpret_cast<const unsigned*>(scaled);
  auto* out = reinterpret_cast<unsigned*>(blurred);
  const int first = static_cast<int>(blockIdx.y) * kStrip;
  const int end = min(first + kStrip, height);
  int columns[4];
#pragma unroll
  for (int j = 0; j < 4; ++j) {
    const int column = 4 * q + j;
    columns[j] = min(width - 1, column + kRadius) - max(0, column - kRadius) + 1;
  }
  int sums[4] = {};
  int known_rows = 0;
  unsigned inverses[4] = {};
  for (int r = max(0, first - kRadius); r < min(height, first + kRadius); ++r) {
    AddRow<kRadius>(in + std::size_t(r) * words, q, words, 1, sums);
  }
  for (int row = first; row < end; ++row) {
    const int joins = row + kRadius;
    const int leaves = row - kRadius - 1;
    if (joins < height) AddRow<kRadius>(in + std::size_t(joins) * words, q, words, 1, sums);
    if (row > first && leaves >= 0) {
      AddRow<kRadius>(in + std::size_t(leaves) * words, q, words, -1, sums);
    }
    const int rows = min(height - 1, joins) - max(0, row - kRadius) + 1;
    if (rows != known_rows) {
#pragma unroll
      for (int j = 0; j < 4; ++j) inverses[j] = 0xffffffffu / (rows * columns[j]) + 1;
      known_rows = rows;
    }
    unsigned means = 0;
#pragma unroll
    for (int j = 0; j < 4; ++j) {
      means |= __umulhi(sums[j] + rows * columns[j] / 2, inverses[j]) << 8 * j;
    }
    out[std::size_t(row) * words + q] = means;
  }
}

template <int kRadius>
void BlurInStrips(const std::uint8_t* scaled, std::uint8_t* blurred, int width, int height,
                  cudaStream_t stream) {
  const dim3 grid((width / 4 + kPixelThreads - 1) / kPixelThreads, (height + kStrip - 1) / kStrip);
  StripKernel<kRadius><<<grid, kPixelThreads, 0, stream>>>(scaled, blurred, width, height);
}

using Blur = void(const std::uint8_t*, std::uint8_t*, int, int, cudaStream_t);

}  // namespace

void ScaleAndBlur(DeviceSpan<const std::uint8_t> picture, DeviceSpan<std::uint8_t> scaled,
                  DeviceSpan<std::uint8_t> blurred, int width, int height, int percent, int radius,
                  cudaStream_t stream) {
  const std::size_t pixels = picture.size();
  if (pixels == 0) return;
  const auto blocks = static_cast<unsigned>(pixels / (16 * kPixelThreads) + 1);
  ScaleKernel<<<blocks, kPixelThreads, 0, stream>>>(picture.data(), scaled.data(), pixels, percent);
  CUDA_CHECK(cudaGetLastError());
  if (width % 4 == 0 && radius > 0 && radius <= kLargestRadius) {
    Blur* const with_radius[] = {BlurInStrips<1>, BlurInStrips<2>, BlurInStrips<3>,
                                 BlurInStrips<4>};
    with_radius[radius - 1](scaled.data(), blurred.data(), width, height, stream);
  } else {
    const dim3 block(32, 8);
    const dim3 grid((width + 31) / 32, (height + 7) / 8);
    BlurKernel<<<grid, block, 0, stream>>>(scaled.data(), blurred.data(), width, height, radius);
  }
  CUDA_CHECK(cudaGetLastError());
}
