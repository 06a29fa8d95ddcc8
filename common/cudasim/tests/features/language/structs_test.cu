// Structs on their way between global memory, shared memory and local variables, in every way that
// C++ has.  Check mode must see each of their reads and writes: after a write that it missed it
// would report a read of uninitialised memory.
#include <array>
#include <cstring>
#include <utility>

#include "common/cudasim/tests/features/test.h"

namespace {

constexpr int kItems = 64;

template <int kFloats>
struct FloatArray {
  float values[kFloats];
};

struct DefaultedCopy {
  double wide;
  int narrow;
  DefaultedCopy() = default;
  DefaultedCopy(const DefaultedCopy&) = default;
  DefaultedCopy& operator=(const DefaultedCopy&) = default;
};

struct Nested {
  int key;
  FloatArray<3> item;
  float4 four;
};

struct Derived : FloatArray<2> {
  int key;
};

union Either {
  float4 four;
  int words[6];
};

// Not trivial: a constructor and an assignment that the compiler makes from those of a member.
struct Counted {
  int count;
  Counted() = default;
  __device__ Counted(const Counted& other) : count(other.count) {}
  __device__ Counted& operator=(const Counted& other) {
    count = other.count;
    return *this;
  }
};
struct Memberwise {
  Counted counted;
  float rest[3];
};

template <class T>
__device__ __noinline__ T Same(T value) {
  return value;
}

template <class T>
__device__ __noinline__ T Load(const T& from) {
  return from;
}

// A way in which a kernel copies `from` to `to`.
#define WAY(Name, ...)                                  \
  struct Name {                                         \
    template <class T>                                  \
    __device__ static void Copy(T& to, const T& from) { \
      __VA_ARGS__;                                      \
    }                                                   \
  }

WAY(Assigned, to = from);
WAY(ThroughVariable, T variable = from; to = variable);
WAY(Returned, to = Load(from));
WAY(Passed, to = Same(from));
WAY(PassedOnCondition, const T other{}; to = Same(threadIdx.x < blockDim.x ? from : other));
WAY(Swapped, to = T{}; T variable = from; std::swap(to, variable));
WAY(ByPair, const std::pair<T, int> pair{from, 1}; to = Load(pair).first);
WAY(ByMemcpy, memcpy(static_cast<void*>(&to), static_cast<const void*>(&from), sizeof(T)));

struct ByLambda {
  template <class T>
  __device__ static void Copy(T& to, const T& from) {
    const auto captured = [from] { return from; };
    const auto same = [](T value) { return value; };
    to = same(captured());
  }
};

struct AsField {
  template <class T>
  __device__ static void Copy(T& to, const T& from) {
    struct Holder {
      int key;
      T item;
    };
    const Holder holder{1, from};
    Holder copy = Same(holder);
    to = copy.item;
  }
};

// Global to shared memory, and to global memory in the reverse order.
template <class Way, class T>
__global__ void Reverse(const T* in, T* out) {
  __shared__ T tile[kItems];
  const int i = threadIdx.x;
  Way::Copy(tile[i], in[i]);
  __syncthreads();
  Way::Copy(out[i], tile[kItems - 1 - i]);
}

template <class Way, class T>
void TestWay(const char* way) {
  std::vector<unsigned char> bytes(kItems * sizeof(T));
  for (std::size_t i = 0; i < bytes.size(); ++i) bytes[i] = i * 7 % 120;
  T* in = nullptr;
  T* out = nullptr;
  cudaMalloc(&in, bytes.size());
  cudaMalloc(&out, bytes.size());
  cudaMemcpy(in, bytes.data(), bytes.size(), cudaMemcpyHostToDevice);
  Reverse<Way><<<1, kItems>>>(in, out);
  Reverse<Way><<<1, kItems>>>(out, in);  // reads what the first has written
  std::vector<unsigned char> got(bytes.size());
  cudaMemcpy(got.data(), in, got.size(), cudaMemcpyDeviceToHost);
  EXPECT_OK(cudaGetLastError()) << way;
  EXPECT_EQ(got, bytes) << way;
  cudaFree(in);
  cudaFree(out);
}

template <class T>
class StructsTest : public testing::Test {};

using Types = testing::Types<FloatArray<3>, FloatArray<16>, float4, std::array<int, 6>, Derived,
                             Either, Nested>;
TYPED_TEST_SUITE(StructsTest, Types);

TYPED_TEST(StructsTest, KeepTheirBytesAndAreSeenInEveryWay) {
  TestWay<Assigned, TypeParam>("assigned");
  TestWay<ThroughVariable, TypeParam>("through a variable");
  TestWay<Returned, TypeParam>("returned");
  TestWay<Passed, TypeParam>("passed");
  TestWay<PassedOnCondition, TypeParam>("passed on a condition");
  TestWay<ByLambda, TypeParam>("by a lambda");
  TestWay<AsField, TypeParam>("as a field");
  TestWay<Swapped, TypeParam>("swapped");
  TestWay<ByPair, TypeParam>("by a pair");
  TestWay<ByMemcpy, TypeParam>("by memcpy");
}

// Structs with padding, which is not copied, or with more than one access.
template <class T>
__global__ void Members(T* items) {
  __shared__ T tile[kItems];
  const int i = threadIdx.x;
  tile[i] = Same(items[i]);
  __syncthreads();
  items[i] = Load(tile[kItems - 1 - i]);
}

template <class T>
std::vector<T> AfterMembers(const std::vector<T>& before) {
  T* items = nullptr;
  cudaMalloc(&items, before.size() * sizeof(T));
  cudaMemcpy(static_cast<void*>(items), before.data(), before.size() * sizeof(T),
             cudaMemcpyHostToDevice);
  Members<<<1, kItems>>>(items);
  std::vector<T> after(before.size());
  cudaMemcpy(static_cast<void*>(after.data()), items, before.size() * sizeof(T),
             cudaMemcpyDeviceToHost);
  cudaFree(items);
  return after;
}

TEST(StructsTest, MayDefaultTheirCopies) {
  std::vector<DefaultedCopy> before(kItems);
  before.back().narrow = 7;
  EXPECT_EQ(AfterMembers(before).front().narrow, 7);
}

TEST(StructsTest, MayHaveMembersWithCopiesOfTheirOwn) {
  std::vector<Memberwise> before(kItems);
  before.back().counted.count = 8;
  before.back().rest[2] = 9;
  const Memberwise got = AfterMembers(before).front();
  EXPECT_EQ(got.counted.count, 8);
  EXPECT_EQ(got.rest[2], 9);
}

// An argument of a kernel is a copy of the thread's own.
__global__ void Store(FloatArray<6> given, FloatArray<6>* out) { out[threadIdx.x] = Same(given); }

TEST(StructsTest, AsArgumentsOfKernelsAreVariables) {
  FloatArray<6>* out = nullptr;
  cudaMalloc(&out, 2 * sizeof(*out));
  Store<<<1, 2>>>({{1, 2, 3, 4, 5, 6}}, out);
  FloatArray<6> got[2];
  cudaMemcpy(got, out, sizeof(got), cudaMemcpyDeviceToHost);
  EXPECT_EQ(got[1].values[5], 6);
  cudaFree(out);
}

}  // namespace
