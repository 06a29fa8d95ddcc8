// What kernels get from the host, and accesses that look as if they left their array.
#include <cstring>

#include "common/cudasim/tests/correct/correct.h"

namespace {

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
bool ArgumentWithADestructor() {
  const DeviceArray<int> out(1);
  const Counter counter;
  CountThreads<<<1, kBlock>>>(counter, out.get());
  return Counter::copies == 1 && Counter::ends == 1 && out.ToHost()[0] == kBlock;
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

bool ArgumentThatThreadsChange() {
  const DeviceArray<int> in(std::vector<int>(kBlock, 5)), out(kBlock);
  Apply<<<1, kBlock>>>(Scale{2}, in.get(), out.get());
  return out.ToHost() == std::vector<int>(kBlock, 15);
}

__constant__ int weights[kBlock];
__device__ int* stored;
__device__ int pool[kBlock];

__global__ void Weigh(const int* with, int* out) { out[threadIdx.x] = with[threadIdx.x]; }

bool AddressOfAVariable() {
  const std::vector<int> numbers = Numbers(kBlock);
  cudaMemcpyToSymbol(weights, numbers.data(), sizeof(weights));
  void* address = nullptr;
  cudaGetSymbolAddress(&address, weights);
  const DeviceArray<int> out(kBlock);
  Weigh<<<1, kBlock>>>(static_cast<const int*>(address), out.get());
  return out.ToHost() == numbers;
}

__global__ void StoreAddress() {
  pool[threadIdx.x] = threadIdx.x;
  if (threadIdx.x == 0) stored = pool;
}

bool AddressThatAKernelStored() {
  StoreAddress<<<1, kBlock>>>();
  int* address = nullptr;
  cudaMemcpyFromSymbol(&address, stored, sizeof(address));
  const DeviceArray<int> out(kBlock);
  Weigh<<<1, kBlock>>>(address, out.get());
  return out.ToHost()[7] == 7;
}

__global__ void FillFlat(int* out) {
  __shared__ int tile[8][8];
  for (int i = threadIdx.x; i < 64; i += 32) tile[0][i] = i;
  __syncthreads();
  for (int i = threadIdx.x; i < 64; i += 32) out[i] = tile[i / 8][i % 8];
}

bool AllRowsByOneIndex() {
  const DeviceArray<int> out(64);
  FillFlat<<<1, 32>>>(out.get());
  return out.ToHost()[63] == 63;
}

// The compiler aligns the pair as it likes; a GPU keeps it in registers.
__global__ void CopyPairs(const int* in, int* out) {
  int pair[2];
  *reinterpret_cast<int2*>(pair) = reinterpret_cast<const int2*>(in)[threadIdx.x];
  reinterpret_cast<int2*>(out)[threadIdx.x] = *reinterpret_cast<int2*>(pair);
}

bool PairsInLocalMemory() {
  const std::vector<int> numbers = Numbers(kBlock);
  const DeviceArray<int> in(numbers), out(kBlock);
  CopyPairs<<<1, kBlock / 2>>>(in.get(), out.get());
  return out.ToHost() == numbers;
}

bool CopyOfTheWrongKind() {
  const std::vector<int> numbers = Numbers(kBlock);
  const DeviceArray<int> from(numbers), to(kBlock);
  cudaMemcpy(to.get(), from.get(), kBlock * sizeof(int), cudaMemcpyHostToDevice);
  return to.ToHost() == numbers;
}

bool PartsOfHostMemory() {
  auto* numbers = static_cast<int*>(std::calloc(kBlock, sizeof(int)));
  numbers = static_cast<int*>(std::realloc(numbers, 2 * kBlock * sizeof(int)));
  const DeviceArray<int> device(std::vector<int>(kBlock, 3));
  cudaMemcpy(numbers + kBlock, device.get(), kBlock * sizeof(int), cudaMemcpyDeviceToHost);
  const bool right = numbers[2 * kBlock - 1] == 3;
  std::free(numbers);
  return right;
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

bool FunctionsThatAKernelMayCall() {
  const DeviceArray<int> out(1);
  CallWhatItMay<<<1, 1>>>(out.get());
  return out.ToHost()[0] == 8 + 3 + Size();
}

}  // namespace

int main(int argc, char** argv) {
  return RunCase(
      argc, argv,
      {CASE(ArgumentWithADestructor), CASE(ArgumentThatThreadsChange), CASE(AddressOfAVariable),
       CASE(AddressThatAKernelStored), CASE(AllRowsByOneIndex), CASE(PairsInLocalMemory),
       CASE(CopyOfTheWrongKind), CASE(PartsOfHostMemory), CASE(FunctionsThatAKernelMayCall)});
}
