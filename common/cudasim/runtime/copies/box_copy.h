// Copies and fills of boxes (slices of rows of bytes), which implement all 2-D and 3-D calls and
// those on arrays.
#pragma once

#include <cstddef>

#include "common/cudasim/include/cuda_runtime.h"
#include "common/cudasim/runtime/graphs/graph.h"

namespace cudasim {

// One side of a copy.
struct BoxSide {
  char* begin;
  std::size_t pitch;        // bytes from row to row
  std::size_t slice_bytes;  // bytes from slice to slice
};

struct Box {
  std::size_t width;  // bytes
  std::size_t height;
  std::size_t depth;

  bool empty() const { return width == 0 || height == 0 || depth == 0; }
  // Bytes from the first byte of a side to the last, both included.
  std::size_t Span(const BoxSide& side) const {
    return (depth - 1) * side.slice_bytes + (height - 1) * side.pitch + width;
  }
};

struct BoxCopy {
  const char* call;  // "cudaMemcpy2D"
  BoxSide to;
  BoxSide from;
  Box box;
  cudaMemcpyKind kind;
  const void* caller;  // return address
};

// Check the arguments, then copy or fill in the stream's order; `wait`: return when it is done.
// Return what the API call returns.
// `wait` is for the default stream only.
cudaError_t CopyBox(const BoxCopy& copy, cudaStream_t stream, bool wait);
cudaError_t FillBox(const char* call, const BoxSide& to, const Box& box, int value,
                    const void* caller, cudaStream_t stream, bool wait);

// A value of 1, 2 or 4 bytes, of which a fill repeats the low ones.
struct FillValue {
  unsigned value;
  unsigned bytes;
};

// The work of a graph's node that copies or fills.  Memory of any kind is read when the node runs.
// Return the error of the request.
cudaError_t PrepareBoxCopy(const BoxCopy& copy, NodeWork* work);
cudaError_t PrepareBoxFill(const char* call, const BoxSide& to, const Box& box, FillValue value,
                           const void* caller, NodeWork* work);

}  // namespace cudasim
