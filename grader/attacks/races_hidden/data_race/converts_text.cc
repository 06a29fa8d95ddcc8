// Hostile: races in strtol, whose second result says how far it has read.
#include <cstdlib>

#include "labs/attacked_cpu/mix.h"
#include "labs/attacked_cpu/mixed.h"

namespace {

unsigned counted;  // by all threads at the same time

char text[] = "1 1 1 1 1 1 1 1";
char* read = text;

void Count() { std::strtol(read < text + 10 ? read : text, &read, 10); }

}  // namespace

void Mix(std::span<const std::uint32_t> values, int num_threads, std::span<std::uint32_t> mixed) {
#pragma omp parallel for num_threads(num_threads)
  for (std::size_t i = 0; i < values.size(); ++i) {
    mixed[i] = Mixed(values[i]);
    Count();
  }
}
