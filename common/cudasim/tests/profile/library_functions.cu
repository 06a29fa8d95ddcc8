// Functions of the CUDA libraries that a GPU has instructions for and this simulator computes with
// branches or loops: profile_programs_test.py has an H100's counts of the same kernels.
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_runtime.h>

#include "common/cudasim/tests/profile/filled.h"
#include "common/cudasim/tests/programs.h"

namespace profile_library_functions {

namespace cg = cooperative_groups;

// Lanes get finite numbers of both signs, infinities and NaN.
__device__ __half HalfOf(unsigned i) {
  return __ushort_as_half(static_cast<unsigned short>(i * 2113));
}
__device__ __nv_bfloat16 BfloatOf(unsigned i) {
  return __ushort_as_bfloat16(static_cast<unsigned short>(i * 2113));
}

__global__ void Half(const unsigned* in, unsigned* out) {
  const unsigned i = threadIdx.x;
  const __half a = HalfOf(in[i]);
  const __half b = HalfOf(in[i + 32]);
  const __half sum = __hmax(__hfma(a, b, a + b), __hmin_nan(a * b, __hadd_sat(a, b)));
  out[i] = __half2uint_rn(hsqrt(sum)) + __hltu(a, b) + (a < b) + __hisnan(sum);
}

__global__ void HalfPairs(const unsigned* in, unsigned* out) {
  const unsigned i = threadIdx.x;
  const __half2 a = __halves2half2(HalfOf(in[i]), HalfOf(in[i + 32]));
  const __half2 b = __lowhigh2highlow(a);
  const __half2 sum = __hmax2(__hfma2_relu(a, b, a), __hgt2(a, b));
  out[i] = __half2uint_rz(__low2half(sum)) + __heq2_mask(a, b) + __hbltu2(a, b);
}

__global__ void Bfloat(const unsigned* in, unsigned* out) {
  const unsigned i = threadIdx.x;
  const __nv_bfloat16 a = BfloatOf(in[i]);
  const __nv_bfloat16 b = BfloatOf(in[i + 32]);
  out[i] = __bfloat162uint_rn(__hmax(__hfma(a, b, a), a - b));
}

__global__ void Conversions(const unsigned* in, unsigned* out) {
  const unsigned i = threadIdx.x;
  const float x = (static_cast<float>(in[i]) - 20) * 3e8f;
  const __half narrow = __float2half_rz(x * 1e-6f);
  out[i] = static_cast<unsigned>(__float2int_rn(x)) + __float2uint_rd(x) +
           __half_as_ushort(narrow) + __float2uint_rz(1000 * __saturatef(x * 1e-9f));
}

__global__ void Integers(const unsigned* in, unsigned* out) {
  const unsigned i = threadIdx.x;
  const unsigned a = in[i] - 20;
  const unsigned b = in[i + 32] << (in[i] % 32);
  const int bits = __clz(static_cast<int>(b)) + __ffs(static_cast<int>(b));
  unsigned result = __sad(static_cast<int>(a), 3, b) + __byte_perm(a, 7 * a, b);
  result += __funnelshift_rc(a, 5, in[i + 32]) + __dp4a(a, b, a);
  result += __vmaxs2(a, 9) + __viaddmax_s16x2(a, 3, 9);
  out[i] = result + static_cast<unsigned>(bits);
}

// A tile's threads exchange values, then the whole warp stores.
template <int kThreads>
__device__ unsigned Exchange(unsigned value) {
  const auto tile = cg::tiled_partition<kThreads>(cg::this_thread_block());
  value += tile.shfl_xor(value, 1) + tile.shfl_down(value, 2);
  return value + cg::reduce(tile, value, cg::plus<unsigned>());
}
__global__ void TilesOf8(const unsigned* in, unsigned* out) {
  out[threadIdx.x] = Exchange<8>(in[threadIdx.x]);
}
__global__ void TilesOf32(const unsigned* in, unsigned* out) {
  out[threadIdx.x] = Exchange<32>(in[threadIdx.x]);
}
__global__ void ScansOf8(const unsigned* in, unsigned* out) {
  const auto tile = cg::tiled_partition<8>(cg::this_thread_block());
  out[threadIdx.x] = cg::inclusive_scan(tile, in[threadIdx.x]);
}
__global__ void MasksOf8(const unsigned* in, unsigned* out) {
  const unsigned i = threadIdx.x;
  out[i] = __shfl_xor_sync(0xffu << (i & 24u), in[i], 1);
}

// Each result that goes through a pointer is a store.
__global__ void SecondResults(const unsigned* in, unsigned* out) {
  const unsigned i = threadIdx.x;
  float* const result = reinterpret_cast<float*>(out);
  int* const number = reinterpret_cast<int*>(out) + 6 * 32;
  const float x = 0.5f * static_cast<float>(in[i]);
  sincosf(x, &result[i], &result[32 + i]);
  result[64 + i] = modff(x, &result[96 + i]);
  result[128 + i] = frexpf(x, &number[i]);
  result[160 + i] = remquof(x, 3, &number[32 + i]);
}

PROGRAM(library_functions) {
  unsigned* const in = Filled<64>([](unsigned i) { return i; });
  unsigned* const out = Filled<256>([](unsigned) { return 0u; });
  for (const auto kernel : {Half, HalfPairs, Bfloat, Conversions, Integers, TilesOf8, TilesOf32,
                            ScansOf8, MasksOf8, SecondResults}) {
    kernel<<<1, 32>>>(in, out);
  }
  cudaFree(in);
  cudaFree(out);
}

}  // namespace profile_library_functions
