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

const bool listed =
    AddPairs({{kPatterns,
               {"BothFences", Run<TwoBlocks, HandOver<Exchange, Device, Device>>},
               {"NoWriterFence", Run<TwoBlocks, HandOver<Exchange, None, Device>>}},
              {kPatterns,
               {"BothFencesAgain", Run<TwoBlocks, HandOver<Exchange, Device, Device>>},
               {"NoReaderFence", Run<TwoBlocks, HandOver<Exchange, Device, None>>}},
              {kPatterns,
               {"VolatileFlag", Run<TwoBlocks, HandOver<Volatile, Device, Device>>},
               {"VolatileFlagNoWriterFence", Run<TwoBlocks, HandOver<Volatile, None, Device>>}},
              {kPatterns,
               {"BetweenWarps", Run<TwoWarps, HandOver<Exchange, Block, Block>>},
               {"BetweenWarpsNoWriterFence", Run<TwoWarps, HandOver<Exchange, None, Block>>}},
              {kPatterns,
               {"BetweenLanes", Run<OneWarp, HandOver<Volatile, Block, Block>>},
               {"BetweenLanesNoReaderFence", Run<OneWarp, HandOver<Volatile, Block, None>>}},
              {kScopes,
               {"WriterDevice", Run<TwoBlocks, HandOver<Exchange, Device, Device>>},
               {"WriterBlock", Run<TwoBlocks, HandOver<Exchange, Block, Device>>}},
              {kScopes,
               {"ReaderDevice", Run<TwoBlocks, HandOver<Exchange, Device, Device>>},
               {"ReaderBlock", Run<TwoBlocks, HandOver<Exchange, Device, Block>>}},
              {kScopes,
               {"BlockFlagInOneBlock", Run<TwoWarps, HandOver<ExchangeInBlock, Block, Block>>},
               {"BlockFlagInTwoBlocks", Run<TwoBlocks, HandOver<ExchangeInBlock, Device, Device>>}},
              {kScopes,
               {"FlagSetInOneBlock", Run<TwoWarps, HandOver<SetInBlock, Device, Device>>},
               {"FlagSetForOneBlock", Run<TwoBlocks, HandOver<SetInBlock, Device, Device>>}},
              {kScopes,
               {"FlagReadInOneBlock", Run<TwoWarps, HandOver<ReadInBlock, Device, Device>>},
               {"FlagReadForOneBlock", Run<TwoBlocks, HandOver<ReadInBlock, Device, Device>>}},
              {kOrder,
               {"FenceAfterData", Run<TwoBlocks, WriterOrder<None, Device>>},
               {"FenceBeforeData", Run<TwoBlocks, WriterOrder<Device, None>>}},
              {kOrder,
               {"FenceAfterFlag", Run<TwoBlocks, ReaderOrder<None, Device>>},
               {"FenceBeforeFlag", Run<TwoBlocks, ReaderOrder<Device, None>>}},
              {kCausality,
               {"ChainOfDevice", Run<Shape<3, 1>, Chain<Device>>},
               {"ChainOfBlock", Run<Shape<3, 1>, Chain<Block>>}}});

}  // namespace handover
