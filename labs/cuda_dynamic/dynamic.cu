// Your solution to the lab "Work that unfolds on a GPU": this is the only file you edit and hand
// in. The contract, what each function gets and must give, is in dynamic.h; the idea is in
// README.md.

#include <cuda_runtime.h>

#include "common/cuda/check.h"
#include "common/lab/not_written.h"
#include "labs/cuda_dynamic/dynamic.h"

void TessellateCurves([[maybe_unused]] DeviceSpan<const Curve> curves,
                      [[maybe_unused]] DeviceSpan<unsigned> starts,
                      [[maybe_unused]] DeviceSpan<Vertex> vertices,
                      [[maybe_unused]] cudaStream_t stream) {
  LAB_NOT_WRITTEN();
}

void BuildQuadtree([[maybe_unused]] DeviceSpan<const Point> points,
                   [[maybe_unused]] unsigned leaf_size, [[maybe_unused]] DeviceSpan<Node> nodes,
                   [[maybe_unused]] DeviceSpan<unsigned> order,
                   [[maybe_unused]] DeviceSpan<unsigned> used,
                   [[maybe_unused]] cudaStream_t stream) {
  LAB_NOT_WRITTEN();
}

void BuildQuadtreeByQueue([[maybe_unused]] DeviceSpan<const Point> points,
                          [[maybe_unused]] unsigned leaf_size,
                          [[maybe_unused]] unsigned multiprocessors,
                          [[maybe_unused]] DeviceSpan<Node> nodes,
                          [[maybe_unused]] DeviceSpan<unsigned> order,
                          [[maybe_unused]] DeviceSpan<unsigned> used,
                          [[maybe_unused]] cudaStream_t stream) {
  LAB_NOT_WRITTEN();
}

void BuildQuadtreeByLevels([[maybe_unused]] DeviceSpan<const Point> points,
                           [[maybe_unused]] unsigned leaf_size,
                           [[maybe_unused]] unsigned multiprocessors,
                           [[maybe_unused]] DeviceSpan<Node> nodes,
                           [[maybe_unused]] DeviceSpan<unsigned> order,
                           [[maybe_unused]] DeviceSpan<unsigned> used,
                           [[maybe_unused]] cudaStream_t stream) {
  LAB_NOT_WRITTEN();
}
