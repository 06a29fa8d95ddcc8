// Linked into a test program, this makes lab::Scaled() give smaller sizes where every access is
// checked: each takes as long there as under a race checker for host code. On the simulator that
// is known; whoever runs the program under NVIDIA's compute-sanitizer sets LAB_CHECKED to the
// divisor: what an access takes there depends on the tool.

#include <cuda_runtime.h>

#include <cstddef>
#include <cstdlib>

#include "common/lab/run_settings.h"

namespace {

std::size_t Divisor() {
#ifdef __CUDASIM__
  return cudasimChecks() != 0 ? 16 : 1;
#else
  const char* const divisor = std::getenv("LAB_CHECKED");
  return divisor != nullptr ? std::strtoul(divisor, nullptr, 10) : 1;
#endif
}

[[maybe_unused]] const bool scaled = [] {
  lab::SetScaleDivisor(Divisor());
  return true;
}();

}  // namespace
