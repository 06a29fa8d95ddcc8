// Linked into a test program, this makes lab::Scaled() give smaller sizes where every access is
// checked: each takes as long there as under a race checker for host code. On the simulator that
// is known; whoever runs the program under NVIDIA's compute-sanitizer sets LAB_CHECKED=1.

#include <cuda_runtime.h>

#include <cstdlib>

#include "common/lab/run_settings.h"

namespace {

constexpr int kCheckedDivisor = 16;

bool IsChecked() {
#ifdef __CUDASIM__
  return cudasimChecks() != 0;
#else
  return std::getenv("LAB_CHECKED") != nullptr;
#endif
}

[[maybe_unused]] const bool scaled = [] {
  const bool checked = IsChecked();
  if (checked) lab::SetScaleDivisor(kCheckedDivisor);
  return checked;
}();

}  // namespace
