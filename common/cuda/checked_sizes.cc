// Linked into a test program, this makes lab::Scaled() give smaller sizes where every access is
// checked: an access is as slow there as under a race checker for host code. The simulator's
// divisor is known; under NVIDIA's compute-sanitizer, set LAB_CHECKED to the divisor, as the
// slowdown depends on the tool.

#include <cuda_runtime.h>

#include <charconv>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <system_error>

#include "common/lab/call/run_settings.h"

namespace {

#ifdef __CUDASIM__

std::size_t Divisor() { return cudasimChecks() != 0 ? 16 : 1; }

#else

std::size_t Divisor() {
  const char* const text = std::getenv("LAB_CHECKED");
  if (text == nullptr) return 1;
  std::size_t divisor = 0;
  const char* const end = text + std::strlen(text);
  const auto [rest, error] = std::from_chars(text, end, divisor);
  if (error != std::errc() || rest != end || divisor == 0) {
    std::fprintf(stderr,
                 "error: LAB_CHECKED: '%s', limit a whole number of at least 1\n"
                 "  next: give what large problems are divided by, or unset LAB_CHECKED\n",
                 text);
    std::exit(1);
  }
  return divisor;
}

#endif

[[maybe_unused]] const bool scaled = [] {
  lab::SetScaleDivisor(Divisor());
  return true;
}();

}  // namespace
