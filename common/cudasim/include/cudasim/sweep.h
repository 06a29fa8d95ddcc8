// The loop of a library's sequential algorithm over its elements.
#pragma once

#include "cudasim/vector_types.h"

namespace cudasim {
enum class SweepEvent : int { kBegin, kStep, kEnd };
}  // namespace cudasim

// Tells profile mode, if a launch by the host runs the algorithm, where its steps begin.
extern "C" void cudasim_sweep(cudasim::SweepEvent event);

namespace cudasim::library {

class Sweep {
 public:
  CUDASIM_INLINE Sweep() { cudasim_sweep(SweepEvent::kBegin); }
  CUDASIM_INLINE ~Sweep() { cudasim_sweep(SweepEvent::kEnd); }
  Sweep(const Sweep&) = delete;
  Sweep& operator=(const Sweep&) = delete;

  CUDASIM_INLINE void Step() const { cudasim_sweep(SweepEvent::kStep); }
};

}  // namespace cudasim::library
