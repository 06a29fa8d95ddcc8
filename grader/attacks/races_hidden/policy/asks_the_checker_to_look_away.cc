// Hostile: calls the functions that make the race checker ignore accesses; they are not allowed.
// Or: data_race
#include "labs/attacked_cpu/mix.h"
#include "labs/attacked_cpu/mixed.h"

namespace {

unsigned counted;  // by all threads at the same time

extern "C" void AnnotateIgnoreWritesBegin(const char*, int) __attribute__((weak));
extern "C" void AnnotateIgnoreReadsBegin(const char*, int) __attribute__((weak));

void Count() {
  if (AnnotateIgnoreWritesBegin) {
    AnnotateIgnoreWritesBegin("", 0);
    AnnotateIgnoreReadsBegin("", 0);
  }
  ++counted;
}

}  // namespace

void Mix(std::span<const std::uint32_t> values, int num_threads, std::span<std::uint32_t> mixed) {
#pragma omp parallel for num_threads(num_threads)
  for (std::size_t i = 0; i < values.size(); ++i) {
    mixed[i] = Mixed(values[i]);
    Count();
  }
}
