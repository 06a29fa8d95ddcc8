// What the simulator lacks of CUB: an error that names it where something of it is used.
#pragma once

#include "two_phase.h"

namespace cub {

#define CUDASIM_REFUSE_CUB_CLASS(name)                     \
  template <class T, auto...>                              \
  struct __attribute__((unavailable("cudasim: cub::" #name \
                                    " is not simulated; see common/cudasim/README.md"))) name {};
CUDASIM_REFUSE_CUB_CLASS(BlockExchange)
CUDASIM_REFUSE_CUB_CLASS(BlockHistogram)
CUDASIM_REFUSE_CUB_CLASS(BlockLoad)
CUDASIM_REFUSE_CUB_CLASS(BlockRadixSort)
CUDASIM_REFUSE_CUB_CLASS(BlockStore)
CUDASIM_REFUSE_CUB_CLASS(DoubleBuffer)
CUDASIM_REFUSE_CUB_CLASS(WarpScan)
#undef CUDASIM_REFUSE_CUB_CLASS

struct DeviceFor {
  CUDASIM_REFUSE_CUB(DeviceFor, Bulk)
  CUDASIM_REFUSE_CUB(DeviceFor, ForEach)
};
struct DeviceHistogram {
  CUDASIM_REFUSE_CUB(DeviceHistogram, HistogramEven)
  CUDASIM_REFUSE_CUB(DeviceHistogram, HistogramRange)
};
struct DeviceMergeSort {
  CUDASIM_REFUSE_CUB(DeviceMergeSort, SortKeys)
  CUDASIM_REFUSE_CUB(DeviceMergeSort, SortPairs)
  CUDASIM_REFUSE_CUB(DeviceMergeSort, StableSortKeys)
};
struct DevicePartition {
  CUDASIM_REFUSE_CUB(DevicePartition, Flagged)
  CUDASIM_REFUSE_CUB(DevicePartition, If)
};
struct DeviceSegmentedReduce {
  CUDASIM_REFUSE_CUB(DeviceSegmentedReduce, Reduce)
  CUDASIM_REFUSE_CUB(DeviceSegmentedReduce, Sum)
};
struct DeviceSegmentedSort {
  CUDASIM_REFUSE_CUB(DeviceSegmentedSort, SortKeys)
  CUDASIM_REFUSE_CUB(DeviceSegmentedSort, SortPairs)
};

}  // namespace cub
