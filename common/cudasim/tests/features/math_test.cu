// Arithmetic on the device: intrinsics and vector types.
#include <cuda_runtime.h>
#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "common/cudasim/tests/features/device_vector.h"

namespace {

__global__ void Bits(int* out) {
  out[0] = __popc(0xf0f0u);
  out[1] = __clz(1);
  out[2] = __ffs(8);
  out[3] = static_cast<int>(__brev(1u) >> 31);
  out[4] = __mulhi(1 << 30, 8);
  out[5] = __float_as_int(1.0f);
  out[6] = min(3, -4);
  out[7] = max(3u, 4u);
}

TEST(MathTest, KnowsIntegerIntrinsics) {
  DeviceVector<int> out(8);
  Bits<<<1, 1>>>(out.get());
  EXPECT_EQ(out.ToHost(), (std::vector<int>{8, 31, 4, 1, 2, 0x3f800000, -4, 4}));
}

__global__ void Floats(float* out) {
  const float x = 0.75f;
  out[0] = __expf(x);
  out[1] = __logf(x);
  out[2] = __fdividef(x, 3.0f);
  out[3] = rsqrtf(x);
  out[4] = fmaf(x, x, 1.0f);
  out[5] = __powf(x, 2.0f);
  out[6] = sqrtf(x) + sinf(x);
  out[7] = fminf(x, NAN);
}

TEST(MathTest, KnowsFloatIntrinsics) {
  DeviceVector<float> out(8);
  Floats<<<1, 1>>>(out.get());
  const std::vector<float> got = out.ToHost();
  const float x = 0.75f;
  const std::vector<float> want = {std::exp(x),
                                   std::log(x),
                                   x / 3.0f,
                                   1.0f / std::sqrt(x),
                                   x * x + 1.0f,
                                   x * x,
                                   std::sqrt(x) + std::sin(x),
                                   x};
  for (int i = 0; i < 8; ++i) EXPECT_NEAR(got[i], want[i], 1e-6f) << i;
}

__global__ void AddVectors(const float4* a, const float4* b, float4* c) {
  const float4 x = a[threadIdx.x];
  const float4 y = b[threadIdx.x];
  c[threadIdx.x] = make_float4(x.x + y.x, x.y + y.y, x.z + y.z, x.w + y.w);
}

TEST(MathTest, LoadsAndStoresVectorTypes) {
  static_assert(sizeof(float4) == 16 && alignof(float4) == 16 && sizeof(float3) == 12);
  static_assert(alignof(int2) == 8 && alignof(double2) == 16);
  DeviceVector<float4> a(std::vector<float4>(8, make_float4(1, 2, 3, 4)));
  DeviceVector<float4> b(std::vector<float4>(8, make_float4(10, 20, 30, 40)));
  DeviceVector<float4> c(8);
  AddVectors<<<1, 8>>>(a.get(), b.get(), c.get());
  for (const float4& v : c.ToHost()) {
    EXPECT_EQ(v.x, 11);
    EXPECT_EQ(v.y, 22);
    EXPECT_EQ(v.z, 33);
    EXPECT_EQ(v.w, 44);
  }
}

}  // namespace
