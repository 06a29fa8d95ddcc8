// Hostile: 8 MB more in every call; memory has a limit over all calls.
// Or: runtime_error, accepted
#include <cstdlib>
#include <cstring>

#include "labs/attacked_cpu/mix.h"
#include "labs/attacked_cpu/mixed.h"

namespace {

char* volatile kept;

}  // namespace

void Mix(std::span<const std::uint32_t> values, int num_threads, std::span<std::uint32_t> mixed) {
  kept = static_cast<char*>(malloc(8 << 20));
  if (kept) memset(kept, 7, 8 << 20);
#pragma omp parallel for num_threads(num_threads)
  for (std::size_t i = 0; i < values.size(); ++i) mixed[i] = Mixed(values[i]);
}
