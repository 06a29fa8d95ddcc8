// What kernels get from the host, and accesses that look as if they left their array.
#include "common/cudasim/tests/features/test.h"

namespace correct_arguments {

constexpr int kBlock = 64;

// Frees device memory, as the lock of Sanders and Kandrot, CUDA by Example, does.
struct Counter {
  static inline int copies = 0;
  static inline int ends = 0;

  int* count = nullptr;

  Counter() {
    cudaMalloc(&count, sizeof(int));
    cudaMemset(count, 0, sizeof(int));
  }
  Counter(const Counter& other) : count(other.count) { ++copies; }
  ~Counter() {
    ++ends;
    if (ends == 1) cudaFree(count);
  }
};

__global__ void CountThreads(Counter counter, int* out) {
  if (atomicAdd(counter.count, 1) == kBlock - 1) *out = kBlock;
}

// One copy for the launch, destroyed when it has been made; cudaFree() waits for the kernel.
TEST(ArgumentsTest, ArgumentWithADestructor) {
  const DeviceVector<int> out(1);
  const Counter counter;
  CountThreads<<<1, kBlock>>>(counter, out.get());
  EXPECT_EQ(Counter::copies, 1);
  EXPECT_EQ(Counter::ends, 1);
  EXPECT_EQ(out.ToHost()[0], kBlock);
}

struct Scale {
  int factor;
  __device__ int operator()(int x) const { return factor * x; }
};

template <class F>
__global__ void Apply(F f, const int* in, int* out) {
  f.factor += 1;  // each thread has its own
  out[threadIdx.x] = f(in[threadIdx.x]);
}

TEST(ArgumentsTest, ArgumentThatThreadsChange) {
  const DeviceVector<int> in(std::vector<int>(kBlock, 5)), out(kBlock);
  Apply<<<1, kBlock>>>(Scale{2}, in.get(), out.get());
  EXPECT_EQ(out.ToHost(), std::vector<int>(kBlock, 15));
}

__device__ int* stored;
__device__ int pool[kBlock];

__global__ void Weigh(const int* with, int* out) { out[threadIdx.x] = with[threadIdx.x]; }

__global__ void StoreAddress() {
  pool[threadIdx.x] = threadIdx.x;
  if (threadIdx.x == 0) stored = pool;
}

TEST(ArgumentsTest, AddressThatAKernelStored) {
  StoreAddress<<<1, kBlock>>>();
  int* address = nullptr;
  cudaMemcpyFromSymbol(&address, stored, sizeof(address));
  const DeviceVector<int> out(kBlock);
  Weigh<<<1, kBlock>>>(address, out.get());
  EXPECT_EQ(out.ToHost()[7], 7);
}

// The compiler aligns the pair as it likes; a GPU keeps it in registers.
__global__ void CopyPairs(const int* in, int* out) {
  int pair[2];
  *reinterpret_cast<int2*>(pair) = reinterpret_cast<const int2*>(in)[threadIdx.x];
  reinterpret_cast<int2*>(out)[threadIdx.x] = *reinterpret_cast<int2*>(pair);
}

TEST(ArgumentsTest, PairsInLocalMemory) {
  const std::vector<int> numbers = SmallNumbers(kBlock);
  const DeviceVector<int> in(numbers), out(kBlock);
  CopyPairs<<<1, kBlock / 2>>>(in.get(), out.get());
  EXPECT_EQ(out.ToHost(), numbers);
}

TEST(ArgumentsTest, CopyOfTheWrongKind) {
  const std::vector<int> numbers = SmallNumbers(kBlock);
  const DeviceVector<int> from(numbers), to(kBlock);
  cudaMemcpy(to.get(), from.get(), kBlock * sizeof(int), cudaMemcpyHostToDevice);
  EXPECT_EQ(to.ToHost(), numbers);
}

TEST(ArgumentsTest, PartsOfHostMemory) {
  auto* numbers = static_cast<int*>(std::calloc(kBlock, sizeof(int)));
  numbers = static_cast<int*>(std::realloc(numbers, 2 * kBlock * sizeof(int)));
  const DeviceVector<int> device(std::vector<int>(kBlock, 3));
  cudaMemcpy(numbers + kBlock, device.get(), kBlock * sizeof(int), cudaMemcpyDeviceToHost);
  const bool right = numbers[2 * kBlock - 1] == 3;
  std::free(numbers);
  EXPECT_TRUE(right);
}

constexpr int Twice(int x) { return 2 * x; }
int Size() { return 4; }
struct Point {
  int x = 0;
  __device__ int Size() const { return x; }
};

__global__ void CallWhatItMay(int* out) {
  const auto half = [](int x) { return x / 2; };
  const Point point{3};
  out[threadIdx.x] = Twice(half(8)) + point.Size() + sizeof(Size());
}

TEST(ArgumentsTest, FunctionsThatAKernelMayCall) {
  const DeviceVector<int> out(1);
  CallWhatItMay<<<1, 1>>>(out.get());
  EXPECT_EQ(out.ToHost()[0], 8 + 3 + Size());
}

}  // namespace correct_arguments
