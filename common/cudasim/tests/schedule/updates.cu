// Programs whose result depends on the schedule, and programs that look alike and are right under
// each.  `PROGRAM NAME` runs one, prints its result, and returns 0 if it is right.
#include <cuda_runtime.h>

#include <cstdio>
#include <cstring>

namespace {

constexpr int kBlocks = 60, kThreads = 64, kWords = 2 + 2 * kBlocks;

// Adds one by an atomic look and an atomic write.
__global__ void LookAndExchange(float* sum) {
  if (threadIdx.x != 0) return;
  const float old = atomicAdd(sum, 0.0f);
  atomicExch(sum, old + 1 + blockIdx.x);
}

__global__ void LookInABlock(float* sum) {
  __shared__ int count;
  if (threadIdx.x == 0) count = 0;
  __syncthreads();
  if (threadIdx.x % 32 == 0) {
    const int old = atomicAdd(&count, 0);
    atomicExch(&count, old + 1 + threadIdx.x);
  }
  __syncthreads();
  if (threadIdx.x == 0) atomicAdd(sum, static_cast<float>(count));
}

// All threads take what one may take.
__global__ void LookAndClaim(float* winners) {
  const auto slot = reinterpret_cast<int*>(winners + 1);
  if (atomicOr(slot, 0) != 0) return;
  atomicExch(slot, 1);
  atomicAdd(winners, 1.0f);
}

// A stack for 8 elements, of which the thread takes one if there is room.
__global__ void LookAndCount(float* taken) {
  const auto size = reinterpret_cast<int*>(taken + 1);
  if (atomicAdd(size, 0) < 8) atomicAdd(size, 1);
  __syncthreads();
  if (blockIdx.x == gridDim.x - 1 && threadIdx.x == 0)
    *taken = static_cast<float>(atomicAdd(size, 0));
}

__global__ void CompareAndSwapLoop(float* sum) {
  const auto word = reinterpret_cast<int*>(sum);
  int assumed = 0, old = atomicAdd(word, 0);
  do {
    assumed = old;
    old = atomicCAS(word, assumed, __float_as_int(__int_as_float(assumed) + 1));
  } while (assumed != old);
}

__global__ void ClaimByTheOldValue(float* winners) {
  const auto slot = reinterpret_cast<int*>(winners + 1);
  if (atomicAdd(slot, 0) == 0 && atomicExch(slot, 1) == 0) atomicAdd(winners, 1.0f);
}

__global__ void AllStoreTheSame(float* level) {
  if (*static_cast<volatile float*>(level) == 0) *static_cast<volatile float*>(level) = 5;
}

__global__ void TakeTurns(float* sum) {
  if (threadIdx.x != 0) return;
  const auto turn = reinterpret_cast<unsigned*>(sum + 1);
  while (atomicAdd(turn, 0) != blockIdx.x) __nanosleep(20);
  __threadfence();
  *sum += 1;
  __threadfence();
  atomicExch(turn, blockIdx.x + 1);
}

// Each thread waits for the one before it.
__global__ void PassOn(float* sum) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  const volatile float* const seen = sum;
  float before = *seen;
  while (before != static_cast<float>(i)) before = *seen;
  atomicExch(sum, before + 1);
}

__global__ void LargestWins(float* largest) {
  const auto word = reinterpret_cast<int*>(largest);
  const int mine = __float_as_int(static_cast<float>(blockIdx.x * blockDim.x + threadIdx.x));
  if (atomicAdd(word, 0) < mine) atomicMax(word, mine);
}

// Each block counts on from the one before, whose flag it awaits. No fence orders count and flag.
__global__ void HandDown(float* sum) {
  if (threadIdx.x != 0) return;
  volatile float* const counts = sum + 2;
  volatile float* const flags = counts + kBlocks;
  float before = 0;
  if (blockIdx.x > 0) {
    while (flags[blockIdx.x - 1] == 0) __nanosleep(20);
    before = counts[blockIdx.x - 1];
  }
  counts[blockIdx.x] = before + 1;
  flags[blockIdx.x] = 1;
  if (blockIdx.x == kBlocks - 1) *sum = before + 1;
}

struct Program {
  const char* name;
  void (*kernel)(float*);
  float result;
};

constexpr Program kPrograms[] = {
    {"LookAndExchange", LookAndExchange, kBlocks*(kBlocks + 1) / 2},
    {"LookInABlock", LookInABlock, kBlocks*(1 + 33)},
    {"LookAndClaim", LookAndClaim, 1},
    {"LookAndCount", LookAndCount, 8},
    {"CompareAndSwapLoop", CompareAndSwapLoop, kBlocks* kThreads},
    {"ClaimByTheOldValue", ClaimByTheOldValue, 1},
    {"AllStoreTheSame", AllStoreTheSame, 5},
    {"TakeTurns", TakeTurns, kBlocks},
    {"PassOn", PassOn, kBlocks* kThreads},
    {"LargestWins", LargestWins, kBlocks* kThreads - 1},
    {"HandDown", HandDown, kBlocks},
};

}  // namespace

int main(int argc, char** argv) {
  for (const Program& program : kPrograms) {
    if (argc != 2 || std::strcmp(argv[1], program.name) != 0) continue;
    float* memory = nullptr;
    float result = 0;
    cudaMalloc(&memory, kWords * sizeof(float));
    cudaMemset(memory, 0, kWords * sizeof(float));
    program.kernel<<<kBlocks, kThreads>>>(memory);
    cudaMemcpy(&result, memory, sizeof(float), cudaMemcpyDeviceToHost);
    cudaFree(memory);
    std::printf("%g of %g\n", result, program.result);
    return result == program.result ? 0 : 1;
  }
  return 2;
}
