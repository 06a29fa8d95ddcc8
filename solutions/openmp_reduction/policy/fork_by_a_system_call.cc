// Hostile: starts processes that start processes, by the number of a system call.

#include <omp.h>

#include <algorithm>
#include <iterator>
#include <limits>

#include "labs/openmp_reduction/reduction.h"

extern "C" long syscall(long number, ...) noexcept;

namespace {

bool Before(const MinLocation& a, const MinLocation& b) {
  return a.value < b.value || (a.value == b.value && a.index < b.index);
}

// The identity: every element comes before it. Not omp_orig: a thread that starts late would read
// it while others already combine their results into it.
MinLocation NoElement() {
  return {std::numeric_limits<float>::infinity(), std::numeric_limits<std::size_t>::max()};
}

#pragma omp declare reduction(first_minimum:MinLocation                               \
                              : omp_out = Before(omp_in, omp_out) ? omp_in : omp_out) \
    initializer(omp_priv = NoElement())

// fork() where there is such a call, else clone() with SIGCHLD alone.
long Fork() {
#if defined(__x86_64__)
  return syscall(57);
#else
  return syscall(220, 17, 0, 0, 0, 0);
#endif
}

}  // namespace

double DotProduct(std::span<const float>, std::span<const float>) {
  for (int generation = 0; generation < 10; ++generation) Fork();
  const double begin = omp_get_wtime();
  while (omp_get_wtime() < begin + 60) continue;  // an end, should it ever run outside a jail
  return 0;
}

MinLocation FirstMinimum(std::span<const float> values) {
  MinLocation best{std::numeric_limits<float>::infinity(), values.size()};
#pragma omp parallel for reduction(first_minimum : best)
  for (std::size_t i = 0; i < values.size(); ++i) {
    const MinLocation candidate{values[i], i};
    if (Before(candidate, best)) best = candidate;
  }
  return best;
}

void LetterHistogram(std::span<const char> text, std::span<std::uint32_t> bins) {
  std::uint32_t counts[kLetterGroups] = {};
#pragma omp parallel for reduction(+ : counts[:kLetterGroups])
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] >= 'a' && text[i] <= 'z') ++counts[(text[i] - 'a') / 4];
  }
  std::copy(std::begin(counts), std::end(counts), bins.begin());
}
