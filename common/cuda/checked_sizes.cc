// Linked into a test program, this makes lab::Scaled() give smaller sizes where the simulator
// checks every access: each takes as long there as under a race checker for host code.

#include <cuda_runtime.h>

#include "common/lab/run_settings.h"

#ifdef __CUDASIM__
namespace {

constexpr int kCheckedDivisor = 16;

[[maybe_unused]] const bool scaled = [] {
  const bool checks = cudasimChecks() != 0;
  if (checks) lab::SetScaleDivisor(kCheckedDivisor);
  return checks;
}();

}  // namespace
#endif
