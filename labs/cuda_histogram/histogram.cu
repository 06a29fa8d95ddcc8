// Your solution to the lab "Histogram on a GPU": this is the only file you edit and hand in.
// The contract, what each function gets and must give, is in histogram.h; the idea is in README.md.

#include <cuda_runtime.h>

#include "common/cuda/check.h"
#include "common/lab/not_written.h"
#include "labs/cuda_histogram/histogram.h"

void CountLetters([[maybe_unused]] DeviceSpan<const char> text,
                  [[maybe_unused]] DeviceSpan<unsigned> bins,
                  [[maybe_unused]] cudaStream_t stream) {
  LAB_NOT_WRITTEN();
}

void CountLettersPrivate([[maybe_unused]] DeviceSpan<const char> text,
                         [[maybe_unused]] DeviceSpan<unsigned> bins,
                         [[maybe_unused]] cudaStream_t stream) {
  LAB_NOT_WRITTEN();
}

void CountLettersAggregated([[maybe_unused]] DeviceSpan<const char> text,
                            [[maybe_unused]] DeviceSpan<unsigned> bins,
                            [[maybe_unused]] cudaStream_t stream) {
  LAB_NOT_WRITTEN();
}

void CountKeys([[maybe_unused]] DeviceSpan<const unsigned> keys,
               [[maybe_unused]] DeviceSpan<unsigned> bins, [[maybe_unused]] cudaStream_t stream) {
  LAB_NOT_WRITTEN();
}
