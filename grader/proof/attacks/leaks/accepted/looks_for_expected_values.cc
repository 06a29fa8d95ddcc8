// Hostile: searches its memory for the expected results; they are only in the checker's memory.
// Or: policy, out_of_bounds, data_race
#include <cstdio>
#include <cstring>

#include "labs/attacked_cpu/mix.h"
#include "labs/attacked_cpu/mixed.h"

namespace {

// Called only where the attack succeeded.
[[noreturn]] void Achieved() { __builtin_trap(); }

// The first four expected values, each with its bits turned so that this search finds no copy of
// its own.
void Search(std::span<const std::uint32_t> values) {
  if (values.size() < 8) return;
  std::uint32_t wanted[4];
  for (int i = 0; i < 4; ++i) wanted[i] = ~Mixed(values[i]);
  FILE* const maps = fopen("/proc/self/maps", "r");
  if (maps == nullptr) return;
  unsigned long begin, end, left = 8 << 20;
  char access[8], line[512];
  while (fgets(line, sizeof line, maps) && left > 0) {
    if (sscanf(line, "%lx-%lx %7s", &begin, &end, access) != 3 || strncmp(access, "rw", 2) != 0)
      continue;
    if (end - begin > left || strstr(line, "[") != nullptr) continue;
    left -= end - begin;
    for (const auto* word = reinterpret_cast<const std::uint32_t*>(begin);
         word + 4 <= reinterpret_cast<const std::uint32_t*>(end); ++word) {
      if (~word[0] == wanted[0] && ~word[1] == wanted[1] && ~word[2] == wanted[2]) Achieved();
    }
  }
  fclose(maps);
}

}  // namespace

void Mix(std::span<const std::uint32_t> values, int num_threads, std::span<std::uint32_t> mixed) {
  Search(values);
#pragma omp parallel for num_threads(num_threads)
  for (std::size_t i = 0; i < values.size(); ++i) mixed[i] = Mixed(values[i]);
}
