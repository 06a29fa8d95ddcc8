// Inline PTX: the instructions that the simulator translates.
#include <cuda_fp16.h>

#include "common/cudasim/tests/features/test.h"

namespace {

__global__ void Lanes(unsigned* out) {
  unsigned lane, lt, le, gt, ge, eq, tid;
  asm volatile("mov.u32 %0, %%laneid;" : "=r"(lane));
  asm("mov.u32 %0, %%lanemask_lt;" : "=r"(lt));
  asm("mov.u32 %0, %%lanemask_le;\n\tmov.u32 %1, %%lanemask_gt;" : "=r"(le), "=r"(gt));
  asm("mov.u32 %0, %lanemask_ge;" : "=r"(ge));
  asm("mov.u32 %0, %%lanemask_eq;" : "=r"(eq));
  asm("mov.u32 %0, %%tid.x;" : "=r"(tid));
  const bool right = lane == threadIdx.x % 32 && lt == (1u << lane) - 1 && eq == 1u << lane &&
                     le == (lt | eq) && gt == ~le && ge == ~lt && tid == threadIdx.x;
  out[threadIdx.x] = right ? 1 : 0;
}

TEST(PtxTest, ReadsLanesAndMasks) {
  EXPECT_EQ(StoredBy(Lanes, 70, 70), std::vector<unsigned>(70, 1));
}

__device__ unsigned SharedAddress(const void* pointer) {
  unsigned address;
  asm("{ .reg .u64 wide; cvta.to.shared.u64 wide, %1; cvt.u32.u64 %0, wide; }"
      : "=r"(address)
      : "l"(pointer));
  return address;
}

__global__ void LoadsAndStores(const float4* in, float* out) {
  __shared__ float tile[64];
  float4 v;
  asm volatile("ld.global.nc.L1::no_allocate.v4.f32 {%0, %1, %2, %3}, [%4];"
               : "=f"(v.x), "=f"(v.y), "=f"(v.z), "=f"(v.w)
               : "l"(in + threadIdx.x));
  const unsigned address = SharedAddress(&tile[4 * threadIdx.x]);
  asm volatile("st.shared.v2.f32 [%0], {%1, %2};" ::"r"(address), "f"(v.x), "f"(v.y) : "memory");
  asm volatile("st.shared.f32 [%0+8], %1;\n st.shared.f32 [%0+12], %2;"
               :
               : "r"(address), "f"(v.z), "f"(v.w)
               : "memory");
  __syncthreads();
  for (int i = threadIdx.x; i < 64; i += blockDim.x) {
    float value;
    asm volatile("ld.shared.f32 %0, [%1];" : "=f"(value) : "r"(SharedAddress(&tile[63 - i])));
    asm volatile("st.global.cs.f32 [%0], %1;" ::"l"(out + i), "f"(value));
  }
}

TEST(PtxTest, LoadsAndStoresWithCacheHints) {
  std::vector<float> values(64);
  for (int i = 0; i < 64; ++i) values[i] = i * 0.5f;
  DeviceVector<float> in(values), out(64);
  LoadsAndStores<<<1, 16>>>(reinterpret_cast<const float4*>(in.get()), out.get());
  const std::vector<float> got = out.ToHost();
  for (int i = 0; i < 64; ++i) ASSERT_EQ(got[i], values[63 - i]);
}

__global__ void Extends(const signed char* in, int* out) {
  int wide, narrow;
  asm("ld.global.s8 %0, [%1];" : "=r"(wide) : "l"(in));
  asm("ld.global.u8 %0, [%1];" : "=r"(narrow) : "l"(in));
  out[0] = wide;
  out[1] = narrow;
}

TEST(PtxTest, LoadsExtendBySign) {
  DeviceVector<signed char> in(std::vector<signed char>{-3});
  DeviceVector<int> out(2);
  Extends<<<1, 1>>>(in.get(), out.get());
  EXPECT_EQ(out.ToHost(), (std::vector<int>{-3, 253}));
}

// A flag with the order in the instruction.
__global__ void HandOver(int* data, int* flag, int* out) {
  if (blockIdx.x == 0) {
    *data = 42;
    asm volatile("st.release.gpu.global.u32 [%0], %1;" ::"l"(flag), "r"(1) : "memory");
  } else {
    int seen = 0;
    while (seen == 0) {
      asm volatile("ld.acquire.gpu.global.u32 %0, [%1];" : "=r"(seen) : "l"(flag) : "memory");
    }
    *out = *data;
  }
}

TEST(PtxTest, OrdersByReleaseAndAcquire) {
  DeviceVector<int> memory(96);
  HandOver<<<2, 1>>>(memory.get(), memory.get() + 32, memory.get() + 64);
  EXPECT_EQ(memory.ToHost()[64], 42);
}

__global__ void CopyAsync(const int* in, int* out, int valid) {
  __shared__ __align__(16) int tile[2][128];
  const auto address = static_cast<unsigned>(__cvta_generic_to_shared(&tile[0][4 * threadIdx.x]));
  asm volatile("cp.async.cg.shared.global.L2::128B [%0], [%1], %2, %3;" ::"r"(address),
               "l"(in + 4 * threadIdx.x), "n"(16), "r"(valid));
  asm volatile("cp.async.commit_group;\n" ::);
  asm volatile("cp.async.ca.shared.global [%0], [%1], 4;" ::"r"(address + 512),
               "l"(in + threadIdx.x));
  asm volatile("cp.async.commit_group;");
  asm volatile("cp.async.wait_group %0;" ::"n"(1));
  for (int i = 0; i < 4; ++i) out[4 * threadIdx.x + i] = tile[0][4 * threadIdx.x + i];
  asm volatile("cp.async.wait_all;");
  out[128 + threadIdx.x] = tile[1][4 * threadIdx.x];
}

TEST(PtxTest, CopiesAsynchronously) {
  std::vector<int> values(128);
  for (int i = 0; i < 128; ++i) values[i] = i + 1;
  DeviceVector<int> in(values), out(160);
  CopyAsync<<<1, 32>>>(in.get(), out.get(), 8);
  const std::vector<int> got = out.ToHost();
  for (int i = 0; i < 128; ++i) ASSERT_EQ(got[i], i % 4 < 2 ? i + 1 : 0);
  for (int i = 0; i < 32; ++i) ASSERT_EQ(got[128 + i], i + 1);
}

// The other instructions that change nothing visible, and barriers.
__global__ void Others(int* data) {
  __shared__ int value;
  asm volatile("prefetch.global.L2 [%0];" ::"l"(data));
  if (threadIdx.x == 0) value = 7;
  asm volatile("bar.sync 0;" ::: "memory");
  data[threadIdx.x] = value;
  asm volatile("membar.gl;" ::: "memory");
  asm volatile("fence.acq_rel.cta;" ::: "memory");
  asm volatile("" ::: "memory");
}

TEST(PtxTest, HasBarriersFencesAndPrefetches) {
  EXPECT_EQ(StoredBy(Others, 64, 64), std::vector<int>(64, 7));
}

// c (16 x 8) = a (16 x 16, rows) * b (16 x 8, columns), loaded by ldmatrix.
__global__ void MultiplyInPtx(const half* a, const half* b, float* c) {
  __shared__ __align__(16) half a_tile[16 * 16];
  __shared__ __align__(16) half b_tile[16 * 8];
  for (int i = threadIdx.x; i < 256; i += 32) a_tile[i] = a[i];
  for (int i = threadIdx.x; i < 128; i += 32) b_tile[i] = b[i];
  __syncwarp();
  const unsigned lane = threadIdx.x;
  unsigned fa[4], fb[2];
  const auto a_row =
      static_cast<unsigned>(__cvta_generic_to_shared(&a_tile[lane % 16 * 16 + lane / 16 * 8]));
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
               : "=r"(fa[0]), "=r"(fa[1]), "=r"(fa[2]), "=r"(fa[3])
               : "r"(a_row));
  // b_tile has rows of 8: transposed, each lane gets two elements of a column.
  const auto b_row = static_cast<unsigned>(__cvta_generic_to_shared(&b_tile[lane % 16 * 8]));
  asm volatile("ldmatrix.sync.aligned.m8n8.x2.trans.shared.b16 {%0, %1}, [%2];"
               : "=r"(fb[0]), "=r"(fb[1])
               : "r"(b_row));
  float d[4] = {1, 1, 1, 1};
  asm volatile(
      "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 "
      "{%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};\n"
      : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
      : "r"(fa[0]), "r"(fa[1]), "r"(fa[2]), "r"(fa[3]), "r"(fb[0]), "r"(fb[1]));
  for (int i = 0; i < 4; ++i) c[(lane / 4 + i / 2 * 8) * 8 + lane % 4 * 2 + i % 2] = d[i];
}

TEST(PtxTest, MultipliesWhatLdmatrixLoads) {
  std::vector<half> a(256), b(128);
  for (int i = 0; i < 256; ++i) a[i] = half(static_cast<float>(i * 7 % 13 - 6));
  for (int i = 0; i < 128; ++i) b[i] = half(static_cast<float>(i * 5 % 11 - 5));
  DeviceVector<half> da(a), db(b);
  DeviceVector<float> dc(128);
  MultiplyInPtx<<<1, 32>>>(da.get(), db.get(), dc.get());
  const std::vector<float> got = dc.ToHost();
  for (int i = 0; i < 16; ++i) {
    for (int j = 0; j < 8; ++j) {
      float sum = 1;
      for (int k = 0; k < 16; ++k) {
        sum += static_cast<float>(a[i * 16 + k]) * static_cast<float>(b[k * 8 + j]);
      }
      ASSERT_EQ(got[i * 8 + j], sum) << i << " " << j;
    }
  }
}

__device__ float Tf32A(int row, int column) { return static_cast<float>(row * 3 + column) / 8; }
__device__ float Tf32B(int row, int column) { return static_cast<float>(row - column * 2) / 4; }

// TF32, m16n8k8: each register holds one element.
__global__ void MultiplyTf32(float* c) {
  const int row = threadIdx.x / 4, t = threadIdx.x % 4;
  const float a[4] = {Tf32A(row, t), Tf32A(row + 8, t), Tf32A(row, t + 4), Tf32A(row + 8, t + 4)};
  const float b[2] = {Tf32B(t, row), Tf32B(t + 4, row)};
  float d[4];
  asm volatile(
      "mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, "
      "{%10,%11,%12,%13};"
      : "=f"(d[0]), "=f"(d[1]), "=f"(d[2]), "=f"(d[3])
      : "r"(__float_as_uint(a[0])), "r"(__float_as_uint(a[1])), "r"(__float_as_uint(a[2])),
        "r"(__float_as_uint(a[3])), "r"(__float_as_uint(b[0])), "r"(__float_as_uint(b[1])),
        "f"(0.0f), "f"(0.0f), "f"(0.0f), "f"(0.0f));
  for (int i = 0; i < 4; ++i) c[(row + i / 2 * 8) * 8 + 2 * t + i % 2] = d[i];
}

TEST(PtxTest, MultipliesTf32) {
  const std::vector<float> got = StoredBy(MultiplyTf32, 128, 32);
  for (int i = 0; i < 16; ++i) {
    for (int j = 0; j < 8; ++j) {
      float sum = 0;
      for (int k = 0; k < 8; ++k) sum += Tf32A(i, k) * Tf32B(k, j);
      ASSERT_EQ(got[i * 8 + j], sum) << i << " " << j;
    }
  }
}

}  // namespace
