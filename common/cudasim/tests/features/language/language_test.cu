// The spellings that CUDA C++ allows for kernels, launches, qualifiers and shared memory.
#include <climits>
#include <cstddef>

#include "common/cudasim/tests/features/test.h"

#define WRITE(value) out[threadIdx.x] = (value)
#define LAUNCH(kernel, ...) kernel<<<1, 4>>>(__VA_ARGS__)

namespace {

constexpr int kThreads = 4;

// Runs `launch` with an array of four ints and returns their values after it.
template <class Launch>
std::vector<int> After(Launch launch) {
  DeviceVector<int> out(kThreads);
  launch(out.get());
  EXPECT_OK(cudaDeviceSynchronize());
  return out.ToHost();
}

using Ints = std::vector<int>;

__global__ void Later(int* out);

static __global__ void Static(int* out) { WRITE(1); }
void __global__ AfterVoid(int* out) { WRITE(2); }
inline void __launch_bounds__(64) __global__ BoundsFirst(int* out) { WRITE(3); }
__global__ void __launch_bounds__(64, 1) BoundsLast(int* __restrict__ out) { WRITE(4); }
extern "C" __global__ void CKernel(int* out) { WRITE(5); }
extern "C" {
__global__ __attribute__((cold)) void CGroup(int* out) { WRITE(6); }
}
struct Holder {
  static __global__ void Member(int* out) { WRITE(7); }
};

TEST(LanguageTest, TakesAKernelsAttributesInAnyOrder) {
  EXPECT_EQ(After([](int* out) { Static<<<1, 4>>>(out); }), Ints(4, 1));
  EXPECT_EQ(After([](int* out) { AfterVoid<<<1, 4>>>(out); }), Ints(4, 2));
  EXPECT_EQ(After([](int* out) { BoundsFirst<<<1, 4>>>(out); }), Ints(4, 3));
  EXPECT_EQ(After([](int* out) { BoundsLast<<<1, 4>>>(out); }), Ints(4, 4));
  EXPECT_EQ(After([](int* out) { CKernel<<<1, 4>>>(out); }), Ints(4, 5));
  EXPECT_EQ(After([](int* out) { CGroup<<<1, 4>>>(out); }), Ints(4, 6));
  EXPECT_EQ(After([](int* out) { Holder::Member<<<1, 4>>>(out); }), Ints(4, 7));
  EXPECT_EQ(After([](int* out) { Later<<<1, 4>>>(out); }), Ints(4, 8));
}

__global__ void Later(int* out) { WRITE(8); }

// CHAR_BIT, NULL and __align__ are macros of system headers.
__global__ void BitsInShared(int* out) {
  __shared__ char bits[CHAR_BIT];
  __shared__ unsigned char __align__(64) aligned[4];
  bits[threadIdx.x] = aligned[threadIdx.x] = 1;
  WRITE(static_cast<int>(sizeof(bits)) + reinterpret_cast<uintptr_t>(aligned) % 64);
}

TEST(LanguageTest, TakesMacrosOfSystemHeadersInLaunchesAndSharedVariables) {
  EXPECT_EQ(After([](int* out) { BitsInShared<<<1, CHAR_BIT / 2, 0, NULL>>>(out); }), Ints(4, 8));
}

template <class T = int, int kAdd = 3>
__global__ void Defaulted(T* out) {
  WRITE(kAdd);
}
template <>
__global__ void Defaulted<int, 9>(int* out) {
  WRITE(90);
}
template __global__ void Defaulted<int, 4>(int*);

template <class... Values>
__global__ void __launch_bounds__(64) Sum(int* out, Values... values) {
  WRITE((0 + ... + values));
}

__global__ void Overload(int* out, int) { WRITE(1); }
__global__ void Overload(int* out, float) { WRITE(2); }

template <void (*kKernel)(int*)>
void LaunchArgument(int* out) {
  kKernel<<<1, 4>>>(out);
}

TEST(LanguageTest, DeducesTemplatesAndOverloadsOfKernels) {
  EXPECT_EQ(After([](int* out) { Defaulted<<<1, 4>>>(out); }), Ints(4, 3));
  EXPECT_EQ(After([](int* out) { Defaulted<int, (2 > 1) ? 4 : 5><<<1, 4>>>(out); }), Ints(4, 4));
  EXPECT_EQ(After([](int* out) { Defaulted<int, 9><<<1, 4>>>(out); }), Ints(4, 90));
  EXPECT_EQ(After([](int* out) { Sum<<<1, 4>>>(out); }), Ints(4, 0));
  EXPECT_EQ(After([](int* out) { Sum<<<1, 4>>>(out, 1, 2L, 'A'); }), Ints(4, 68));
  EXPECT_EQ(After([](int* out) { Overload<<<1, 4>>>(out, 1); }), Ints(4, 1));
  EXPECT_EQ(After([](int* out) { Overload<<<1, 4>>>(out, 1.0f); }), Ints(4, 2));
  EXPECT_EQ(After([](int* out) { LaunchArgument<Static>(out); }), Ints(4, 1));
}

using Kernel = void (*)(int*);
struct Table {
  Kernel kernel = Static;
  Kernel kernels[2] = {Static, AfterVoid};
};

Kernel Choose(bool first) { return first ? Static : AfterVoid; }

void ReturnLaunch(int* out, bool first) {
  return first ? Static<<<1, 4>>>(out) : AfterVoid<<<1, 4>>>(out);
}

TEST(LanguageTest, LaunchesWhatAnExpressionYields) {
  Table table;
  Table* const pointer = &table;
  const Kernel kernel = BoundsLast;
  EXPECT_EQ(After([&](int* out) { kernel<<<1, 4>>>(out); }), Ints(4, 4));
  EXPECT_EQ(After([&](int* out) { (*kernel)<<<1, 4>>>(out); }), Ints(4, 4));
  EXPECT_EQ(After([&](int* out) { table.kernel<<<1, 4>>>(out); }), Ints(4, 1));
  EXPECT_EQ(After([&](int* out) { pointer->kernels[0 + 1]<<<1, 4>>>(out); }), Ints(4, 2));
  EXPECT_EQ(After([&](int* out) { Choose(false)<<<1, 4>>>(out); }), Ints(4, 2));
  EXPECT_EQ(After([&](int* out) { (out ? Static : AfterVoid)<<<1, 4>>>(out); }), Ints(4, 1));
  EXPECT_EQ(After([&](int* out) { ReturnLaunch(out, false); }), Ints(4, 2));
  EXPECT_EQ(After([&](int* out) { LAUNCH(Static, out); }), Ints(4, 1));
  EXPECT_EQ(After([&](int* out) {
              if (out != nullptr) ::CKernel<<<1, 4>>>(out);
            }),
            Ints(4, 5));
}

template <class A, class B>
constexpr int Product(A a, B b) {
  return a * b;
}

TEST(LanguageTest, TakesAnyExpressionInAConfiguration) {
  const int shift = 2;
  EXPECT_EQ(After([&](int* out) { Static<<<dim3{1, 1}, dim3{4}>>>(out); }), Ints(4, 1));
  EXPECT_EQ(After([&](int* out) { Static<<<{1}, {4, 1, 1}>>>(out); }), Ints(4, 1));
  EXPECT_EQ(After([&](int* out) { Static<<<(8 >> 3), 1 << shift>>>(out); }), Ints(4, 1));
  EXPECT_EQ(After([&](int* out) { Static<<<Product<int, int>(1, 1), 4, 0>>>(out); }), Ints(4, 1));
  EXPECT_EQ(After([&](int* out) {
              Static<<<1,  // <<< one block
                       4   /* >>> four threads */
                       >>>(out);
            }),
            Ints(4, 1));
  EXPECT_STREQ("k<<<1, 2>>>()", R"(k<<<1, 2>>>())");
}

struct alignas(16) Pair {
  int first, second;
};

template <class T>
__device__ T* Scratch() {
  __shared__ T values[kThreads], more;
  if (threadIdx.x == 0) more = T{};
  return values;
}

__global__ void SharedKinds(int* out) {
  __shared__ Pair pairs[kThreads];
  __shared__ struct { int a, b; } unnamed;
  __shared__ struct Named {
    int a;
    struct {
      int deep;
    } inner;
  } named;
  __shared__ union {
    int whole;
    short half[2];
  } both;
  alignas(16) __shared__ volatile int aligned[2], other;
  const unsigned i = threadIdx.x;
  if (i == 0) {
    unnamed.a = 1;
    named.inner.deep = 2;
    both.whole = 3;
    aligned[1] = 4;
    other = 5;
  }
  int* const scratch = Scratch<int>();
  scratch[i] = 100;
  pairs[i].second = 1000;
  Named copy;
  copy.a = 0;
  __syncthreads();
  out[i] = unnamed.a + named.inner.deep + both.whole + aligned[1] + other + copy.a +
           scratch[kThreads - 1 - i] + pairs[kThreads - 1 - i].second;
}

__global__ void OtherUserOfScratch(int* out) {
  Scratch<int>()[threadIdx.x] = 6;
  __syncthreads();
  WRITE(Scratch<int>()[kThreads - 1 - threadIdx.x]);
}

__device__ float* Floats() {
  extern __shared__ float dynamic[];
  return dynamic;
}

__global__ void DynamicKinds(int* out) {
  extern int __shared__ words[];
  Floats()[threadIdx.x] = 1.0f;
  __syncthreads();
  WRITE(words[kThreads - 1 - threadIdx.x] == 0x3f800000);
}

TEST(LanguageTest, DeclaresSharedMemoryOfAnyType) {
  EXPECT_EQ(After([](int* out) { SharedKinds<<<1, 4>>>(out); }), Ints(4, 1115));
  EXPECT_EQ(After([](int* out) { OtherUserOfScratch<<<1, 4>>>(out); }), Ints(4, 6));
  EXPECT_EQ(After([](int* out) { DynamicKinds<<<1, 4, 16>>>(out); }), Ints(4, 1));
}

template <class Function>
__global__ void Apply(int* out, Function function) {
  WRITE(function(static_cast<int>(threadIdx.x)));
}

TEST(LanguageTest, CallsExtendedLambdas) {
  const int add = 5;
  EXPECT_EQ(
      After([&](int* out) { Apply<<<1, 4>>>(out, [=] __device__(int i) { return i + add; }); }),
      (Ints{5, 6, 7, 8}));
  EXPECT_EQ(After([&](int* out) {
              const auto twice = [] __host__ __device__(int i) -> int { return 2 * i; };
              Apply<<<1, 4>>>(out, twice);
            }),
            (Ints{0, 2, 4, 6}));
}

struct Scale {
  static constexpr int kFactor = 3;
  int offset;
  __host__ __device__ explicit Scale(int o) : offset(o) {}
  __host__ __device__ ~Scale() = default;
  __device__ int operator()(int i) const;
  static __device__ int Twice(int i) { return 2 * i; }
};

__device__ int Scale::operator()(int i) const { return Twice(i) * kFactor + offset; }

struct Settings {
  int add;
  float table[2];
};
__constant__ Settings settings;
__constant__ const int kTable[] = {1, 2, 3, 4};
__align__(16) __device__ int counters[4] = {7, 7, 7, 7};
__device__ int Increment(int i) { return i + 1; }
__device__ int (*function)(int) = Increment;

__global__ void UseMembers(int* out, const __grid_constant__ Scale scale) {
  const unsigned i = threadIdx.x;
  int sum = scale(static_cast<int>(i)) + settings.add + kTable[i];
#pragma unroll
  for (int k = 0; k < 4; ++k) sum += counters[k];
  out[i] = function(sum);
}

TEST(LanguageTest, UsesMembersAndVariablesOfTheDevice) {
  const Settings values{100, {}};
  ASSERT_OK(cudaMemcpyToSymbol(settings, &values, sizeof(values)));
  EXPECT_EQ(After([](int* out) { UseMembers<<<1, 4>>>(out, Scale(10)); }),
            (Ints{140, 147, 154, 161}));
}

__device__ int g_name_length;

__global__ void OwnName() {
  int length = 0;
  for (const char* c = __func__; *c != '\0'; ++c) ++length;
  g_name_length = length;
}

TEST(LanguageTest, KnowsAKernelsNameInsideIt) {
  OwnName<<<1, 1>>>();
  int length = 0;
  ASSERT_OK(cudaMemcpyFromSymbol(&length, g_name_length, sizeof(length)));
  EXPECT_EQ(length, 7);
}

}  // namespace
