// A value is handed over by a flag: which fences, of which scope, in which order.
#include "common/cudasim/tests/memory_model/memory_model.h"

namespace handover {

template <class Flag, class Writer, class Reader>
__global__ void HandOver(int* data, int* flag, int* out) {
  if (IsFirst()) {
    *data = 42;
    Writer::Fence();
    Flag::Set(flag);
  } else if (IsLast()) {
    while (!Flag::IsSet(flag)) __nanosleep(20);
    Reader::Fence();
    *out = *data;
  }
}

template <class Threads, class Flag, class Writer, class Reader>
void Run() {
  int* const memory = Zeros(96);
  HandOver<Flag, Writer, Reader>
      <<<Threads::kBlocks, Threads::kThreads>>>(memory, memory + 32, memory + 64);
  cudaFree(memory);
}

// `First` and `Second` stand before and after the data, or before and after the flag is read.
template <class First, class Second>
__global__ void WriterOrder(int* data, int* flag, int* out) {
  if (IsFirst()) {
    First::Fence();
    *data = 42;
    Second::Fence();
    atomicExch(flag, 1);
  } else {
    while (atomicAdd(flag, 0) == 0) __nanosleep(20);
    __threadfence();
    *out = *data;
  }
}

template <class First, class Second>
__global__ void ReaderOrder(int* data, int* flag, int* out) {
  if (IsFirst()) {
    *data = 42;
    __threadfence();
    atomicExch(flag, 1);
  } else {
    First::Fence();
    while (atomicAdd(flag, 0) == 0) __nanosleep(20);
    Second::Fence();
    *out = *data;
  }
}

template <class First, class Second, bool kWriter>
void RunOrder() {
  int* const memory = Zeros(96);
  const auto kernel = kWriter ? WriterOrder<First, Second> : ReaderOrder<First, Second>;
  kernel<<<2, 1>>>(memory, memory + 32, memory + 64);
  cudaFree(memory);
}

// The flag is set before or after the data is written.
template <bool kFlagLast>
__global__ void SetWhen(int* data, int* flag, int* out) {
  if (IsFirst()) {
    if (kFlagLast) *data = 42;
    __threadfence();
    atomicExch(flag, 1);
    if (!kFlagLast) *data = 42;
  } else {
    while (atomicAdd(flag, 0) == 0) __nanosleep(20);
    __threadfence();
    *out = *data;
  }
}

template <bool kFlagLast>
void RunSetWhen() {
  int* const memory = Zeros(96);
  SetWhen<kFlagLast><<<2, 1>>>(memory, memory + 32, memory + 64);
  cudaFree(memory);
}

// A hands over to B, which hands over to C: B's fences carry on what it has acquired.
template <class Middle>
__global__ void Chain(int* data, int* flags, int* out) {
  if (blockIdx.x == 0) {
    *data = 42;
    __threadfence();
    atomicExch(flags, 1);
  } else if (blockIdx.x == 1) {
    while (atomicAdd(flags, 0) == 0) __nanosleep(20);
    Middle::Fence();
    atomicExch(flags + 32, 1);
  } else {
    while (atomicAdd(flags + 32, 0) == 0) __nanosleep(20);
    __threadfence();
    *out = *data;
  }
}

template <class Middle>
void RunChain() {
  int* const memory = Zeros(128);
  Chain<Middle><<<3, 1>>>(memory, memory + 32, memory + 96);
  cudaFree(memory);
}

constexpr char kPatterns[] = "Release and Acquire Patterns";
constexpr char kScope[] = "Scope";
constexpr char kProgramOrder[] = "Program Order";
constexpr char kCausality[] = "Causality Order";

const bool listed = AddPairs(
    {{kPatterns,
      {"BothFences", Run<TwoBlocks, Exchange, Device, Device>},
      {"NoWriterFence", Run<TwoBlocks, Exchange, None, Device>}},
     {kPatterns,
      {"BothFencesAgain", Run<TwoBlocks, Exchange, Device, Device>},
      {"NoReaderFence", Run<TwoBlocks, Exchange, Device, None>}},
     {kPatterns,
      {"VolatileFlag", Run<TwoBlocks, Volatile, Device, Device>},
      {"VolatileFlagNoWriterFence", Run<TwoBlocks, Volatile, None, Device>}},
     {kPatterns,
      {"BetweenWarps", Run<TwoWarps, Exchange, Block, Block>},
      {"BetweenWarpsNoWriterFence", Run<TwoWarps, Exchange, None, Block>}},
     {kPatterns,
      {"BetweenLanes", Run<OneWarp, Volatile, Block, Block>},
      {"BetweenLanesNoReaderFence", Run<OneWarp, Volatile, Block, None>}},
     {kScope,
      {"WriterDevice", Run<TwoBlocks, Exchange, Device, Device>},
      {"WriterBlock", Run<TwoBlocks, Exchange, Block, Device>}},
     {kScope,
      {"ReaderDevice", Run<TwoBlocks, Exchange, Device, Device>},
      {"ReaderBlock", Run<TwoBlocks, Exchange, Device, Block>}},
     {kScope,
      {"WriterSystem", Run<TwoBlocks, Volatile, System, Device>},
      {"VolatileWriterBlock", Run<TwoBlocks, Volatile, Block, Device>}},
     {kScope,
      {"BlockFencesInOneBlock", Run<TwoWarps, Exchange, Block, Block>},
      {"BlockFencesInTwoBlocks", Run<TwoBlocks, Exchange, Block, Block>}},
     {kScope,
      {"BlockFlagInOneBlock", Run<TwoWarps, ExchangeInBlock, Block, Block>},
      {"BlockFlagInTwoBlocks", Run<TwoBlocks, ExchangeInBlock, Device, Device>}},
     {kScope,
      {"FlagSetInOneBlock", Run<TwoWarps, SetInBlock, Device, Device>},
      {"FlagSetForOneBlock", Run<TwoBlocks, SetInBlock, Device, Device>}},
     {kScope,
      {"FlagReadInOneBlock", Run<TwoWarps, ReadInBlock, Device, Device>},
      {"FlagReadForOneBlock", Run<TwoBlocks, ReadInBlock, Device, Device>}},
     {kProgramOrder,
      {"FenceAfterData", RunOrder<None, Device, true>},
      {"FenceBeforeData", RunOrder<Device, None, true>}},
     {kProgramOrder,
      {"FenceAfterFlag", RunOrder<None, Device, false>},
      {"FenceBeforeFlag", RunOrder<Device, None, false>}},
     {kProgramOrder, {"DataBeforeFlag", RunSetWhen<true>}, {"DataAfterFlag", RunSetWhen<false>}},
     {kCausality, {"ChainOfDevice", RunChain<Device>}, {"ChainOfBlock", RunChain<Block>}}});

}  // namespace handover
