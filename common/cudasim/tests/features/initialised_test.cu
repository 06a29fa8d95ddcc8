// Reads of initialised memory, about which check mode must report nothing.
#include "common/cudasim/tests/features/test.h"

namespace {

template <class T>
T* Allocate(std::size_t count) {
  T* pointer = nullptr;
  EXPECT_EQ(cudaMalloc(&pointer, count * sizeof(T)), cudaSuccess);
  return pointer;
}

__global__ void IncrementAll(int* values) { ++values[threadIdx.x]; }

TEST(InitialisedTest, MemsetAndCopiesOfPartsMakeAWhole) {
  int* const values = Allocate<int>(4);
  const int two[] = {5, 6};
  cudaMemcpy(values, two, sizeof(two), cudaMemcpyHostToDevice);
  cudaMemset(values + 2, 0, 2 * sizeof(int));
  IncrementAll<<<1, 4>>>(values);
  std::vector<int> got(4);
  cudaMemcpy(got.data(), values, sizeof(int) * 4, cudaMemcpyDeviceToHost);
  EXPECT_EQ(got, (std::vector<int>{6, 7, 1, 1}));
  cudaFree(values);
}

TEST(InitialisedTest, FreshMemoryMayBeCopiedToTheHost) {
  int* const values = Allocate<int>(4);
  int got[4];
  EXPECT_EQ(cudaMemcpy(got, values, sizeof(got), cudaMemcpyDeviceToHost), cudaSuccess);
  cudaFree(values);
}

struct Padded {
  char letter;
  int number;
};

struct Large {
  char letter;
  double values[4];
  char last;
};

__global__ void FillMembers(Padded* padded, Large* large) {
  padded->letter = 'a';
  padded->number = 7;
  large->letter = 'b';
  for (double& value : large->values) value = 1.5;
  large->last = 'c';
}

__global__ void CopyStructs(Padded* padded, Large* large) {
  padded[1] = padded[0];
  large[1] = large[0];
}

TEST(InitialisedTest, StructsAreCopiedWithTheirPadding) {
  Padded* const padded = Allocate<Padded>(2);
  Large* const large = Allocate<Large>(2);
  FillMembers<<<1, 1>>>(padded, large);
  CopyStructs<<<1, 1>>>(padded, large);
  Padded got;
  cudaMemcpy(&got, padded + 1, sizeof(got), cudaMemcpyDeviceToHost);
  EXPECT_EQ(got.letter, 'a');
  EXPECT_EQ(got.number, 7);
  Large got_large;
  cudaMemcpy(&got_large, large + 1, sizeof(got_large), cudaMemcpyDeviceToHost);
  EXPECT_EQ(got_large.last, 'c');
  cudaFree(padded);
  cudaFree(large);
}

__global__ void ExchangeFresh(int* slot, int* out) { *out = atomicExch(slot, 5) == 5 ? 1 : 0; }

__global__ void ReadSlot(const int* slot, int* out) { *out = *slot; }

TEST(InitialisedTest, AnExchangeNeedsNoValue) {
  int* const memory = Allocate<int>(2);
  ExchangeFresh<<<1, 1>>>(memory, memory + 1);
  ReadSlot<<<1, 1>>>(memory, memory + 1);
  int got = 0;
  cudaMemcpy(&got, memory + 1, sizeof(got), cudaMemcpyDeviceToHost);
  EXPECT_EQ(got, 5);
  cudaFree(memory);
}

}  // namespace
