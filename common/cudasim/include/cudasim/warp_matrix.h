// What the matrix operations of a warp have in common: all 32 lanes make the same call, and the
// last one computes for all of them.
#pragma once

#include <cstdint>

#include "cudasim/instrumented.h"
#include "cudasim/warp.h"

namespace cudasim {

constexpr unsigned kAllLanesOfWarp = 0xffffffffu;

// A lane's call.  Operations that compute derive a struct from it.
struct MatrixCall {
  void (*compute)(MatrixCall* const* lanes);  // null if each lane works for itself
  const void* memory = nullptr;               // which all lanes must name alike
  unsigned stride = 0;
  const char* fault = nullptr;  // set where the calls do not fit together
};

constexpr char kMissingLanes[] = "a matrix operation of a warp that not all of its lanes reach";
constexpr char kDifferentCalls[] = "lanes of a warp make different calls of a matrix operation";

CUDASIM_UNSEEN void MeetForMatrix(void* const* values, unsigned lanes) {
  MatrixCall* const* const calls = reinterpret_cast<MatrixCall* const*>(values);
  const char* fault = lanes == kAllLanesOfWarp ? nullptr : kMissingLanes;
  const MatrixCall& first = *calls[__builtin_ctz(lanes)];
  for (unsigned rest = lanes; rest != 0; rest &= rest - 1) {
    const MatrixCall& call = *calls[__builtin_ctz(rest)];
    const bool same =
        call.compute == first.compute && call.memory == first.memory && call.stride == first.stride;
    if (!same) fault = kDifferentCalls;
  }
  if (fault == nullptr && first.compute != nullptr) first.compute(calls);
  for (unsigned rest = lanes; rest != 0; rest &= rest - 1) {
    calls[__builtin_ctz(rest)]->fault = fault;
  }
}

CUDASIM_INLINE void RunMatrix(MatrixCall& call, const char* file, int line) {
  cudasim_warp_matrix(file, line, MeetForMatrix, &call);
  if (call.fault == nullptr) return;
  cudasim_misuse("invalid_matrix", file, line, call.fault,
                 "all 32 lanes must make the call, with the same arguments");
}

}  // namespace cudasim
