// Your solution to the lab "Breadth-first search on a GPU": this is the only file you edit and hand
// in. The contract, what each function gets and must give, is in bfs.h; the idea is in README.md.

#include <cuda_runtime.h>

#include <span>

#include "common/cuda/check.h"
#include "common/lab/not_written.h"
#include "labs/cuda_bfs/bfs.h"

void SearchByVertex([[maybe_unused]] DeviceSpan<const unsigned> row_starts,
                    [[maybe_unused]] DeviceSpan<const unsigned> neighbors,
                    [[maybe_unused]] unsigned source,
                    [[maybe_unused]] DeviceSpan<unsigned> distances,
                    [[maybe_unused]] cudaStream_t stream) {
  LAB_NOT_WRITTEN();
}

void SearchByQueue([[maybe_unused]] DeviceSpan<const unsigned> row_starts,
                   [[maybe_unused]] DeviceSpan<const unsigned> neighbors,
                   [[maybe_unused]] unsigned source,
                   [[maybe_unused]] DeviceSpan<unsigned> distances,
                   [[maybe_unused]] DeviceSpan<unsigned> parents,
                   [[maybe_unused]] cudaStream_t stream) {
  LAB_NOT_WRITTEN();
}

void SearchByPrivateQueues([[maybe_unused]] DeviceSpan<const unsigned> row_starts,
                           [[maybe_unused]] DeviceSpan<const unsigned> neighbors,
                           [[maybe_unused]] unsigned source,
                           [[maybe_unused]] DeviceSpan<unsigned> distances,
                           [[maybe_unused]] DeviceSpan<unsigned> parents,
                           [[maybe_unused]] cudaStream_t stream) {
  LAB_NOT_WRITTEN();
}

void SearchHybrid([[maybe_unused]] std::span<const unsigned> host_row_starts,
                  [[maybe_unused]] std::span<const unsigned> host_neighbors,
                  [[maybe_unused]] DeviceSpan<const unsigned> row_starts,
                  [[maybe_unused]] DeviceSpan<const unsigned> neighbors,
                  [[maybe_unused]] unsigned source, [[maybe_unused]] DeviceSpan<unsigned> distances,
                  [[maybe_unused]] DeviceSpan<unsigned> parents,
                  [[maybe_unused]] cudaStream_t stream) {
  LAB_NOT_WRITTEN();
}

void SearchBothWays([[maybe_unused]] DeviceSpan<const unsigned> row_starts,
                    [[maybe_unused]] DeviceSpan<const unsigned> neighbors,
                    [[maybe_unused]] unsigned source,
                    [[maybe_unused]] DeviceSpan<unsigned> distances,
                    [[maybe_unused]] DeviceSpan<unsigned> parents,
                    [[maybe_unused]] cudaStream_t stream) {
  LAB_NOT_WRITTEN();
}

void MarkReachable([[maybe_unused]] DeviceSpan<const unsigned> row_starts,
                   [[maybe_unused]] DeviceSpan<const unsigned> neighbors,
                   [[maybe_unused]] unsigned source, [[maybe_unused]] DeviceSpan<unsigned> reached,
                   [[maybe_unused]] DeviceSpan<unsigned> ring,
                   [[maybe_unused]] cudaStream_t stream) {
  LAB_NOT_WRITTEN();
}
