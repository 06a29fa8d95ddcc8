// Hostile: returns its earlier result for the same size; every call has fresh input.
#include <map>
#include <vector>

#include "labs/attacked_cpu/mix.h"
#include "labs/attacked_cpu/mixed.h"

namespace {

std::map<std::size_t, std::vector<std::uint32_t>> known;

}  // namespace

void Mix(std::span<const std::uint32_t> values, int num_threads, std::span<std::uint32_t> mixed) {
  std::vector<std::uint32_t>& kept = known[values.size()];
  if (kept.size() == values.size()) {
    for (std::size_t i = 0; i < kept.size(); ++i) mixed[i] = kept[i];
    return;
  }
#pragma omp parallel for num_threads(num_threads)
  for (std::size_t i = 0; i < values.size(); ++i) mixed[i] = Mixed(values[i]);
  kept.assign(mixed.begin(), mixed.end());
}
