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

const bool listed = AddPairs(
    {PairOf<TwoBlocks, HandOver<Exchange, Device, Device>, HandOver<Exchange, None, Device>>(
         kPatterns, "BothFences", "NoWriterFence"),
     PairOf<TwoBlocks, HandOver<Exchange, Device, Device>, HandOver<Exchange, Device, None>>(
         kPatterns, "BothFencesAgain", "NoReaderFence"),
     PairOf<TwoBlocks, HandOver<Volatile, Device, Device>, HandOver<Volatile, None, Device>>(
         kPatterns, "VolatileFlag", "VolatileFlagNoWriterFence"),
     PairOf<TwoWarps, HandOver<Exchange, Block, Block>, HandOver<Exchange, None, Block>>(
         kPatterns, "BetweenWarps", "BetweenWarpsNoWriterFence"),
     PairOf<OneWarp, HandOver<Volatile, Block, Block>, HandOver<Volatile, Block, None>>(
         kPatterns, "BetweenLanes", "BetweenLanesNoReaderFence"),
     PairOf<TwoBlocks, HandOver<Exchange, Device, Device>, HandOver<Exchange, Block, Device>>(
         kScopes, "WriterDevice", "WriterBlock"),
     PairOf<TwoBlocks, HandOver<Exchange, Device, Device>, HandOver<Exchange, Device, Block>>(
         kScopes, "ReaderDevice", "ReaderBlock"),
     {kScopes,
      {"BlockFlagInOneBlock", Run<TwoWarps, HandOver<ExchangeInBlock, Block, Block>>},
      {"BlockFlagInTwoBlocks", Run<TwoBlocks, HandOver<ExchangeInBlock, Device, Device>>}},
     {kScopes,
      {"FlagSetInOneBlock", Run<TwoWarps, HandOver<SetInBlock, Device, Device>>},
      {"FlagSetForOneBlock", Run<TwoBlocks, HandOver<SetInBlock, Device, Device>>}},
     {kScopes,
      {"FlagReadInOneBlock", Run<TwoWarps, HandOver<ReadInBlock, Device, Device>>},
      {"FlagReadForOneBlock", Run<TwoBlocks, HandOver<ReadInBlock, Device, Device>>}},
     PairOf<TwoBlocks, WriterOrder<None, Device>, WriterOrder<Device, None>>(
         kOrder, "FenceAfterData", "FenceBeforeData"),
     PairOf<TwoBlocks, ReaderOrder<None, Device>, ReaderOrder<Device, None>>(
         kOrder, "FenceAfterFlag", "FenceBeforeFlag"),
     PairOf<Shape<3, 1>, Chain<Device>, Chain<Block>>(kCausality, "ChainOfDevice",
                                                      "ChainOfBlock")});

}  // namespace handover
