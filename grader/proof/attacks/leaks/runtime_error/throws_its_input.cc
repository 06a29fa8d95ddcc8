// Hostile: throws its input as an exception's text; no text of a submission is shown.
// Or: policy
#include <stdexcept>
#include <string>

#include "labs/attacked_cpu/mix.h"

void Mix(std::span<const std::uint32_t> values, int num_threads, std::span<std::uint32_t> mixed) {
  const std::string input(reinterpret_cast<const char*>(values.data()), values.size_bytes());
  if (num_threads > 0) throw std::runtime_error(input.c_str());
#pragma omp parallel for num_threads(num_threads)
  for (std::size_t i = 0; i < values.size(); ++i) mixed[i] = values[i];
}
