// Wrong: even threads lock the value, then the index; odd threads the index, then the value.

#include <omp.h>

#include <algorithm>
#include <iterator>
#include <limits>

#include "labs/openmp_reduction/reduction.h"

namespace {

bool Before(const MinLocation& a, const MinLocation& b) {
  return a.value < b.value || (a.value == b.value && a.index < b.index);
}

}  // namespace

double DotProduct(std::span<const float> a, std::span<const float> b) {
  double sum = 0;
#pragma omp parallel for reduction(+ : sum)
  for (std::size_t i = 0; i < a.size(); ++i) {
    sum += static_cast<double>(a[i]) * static_cast<double>(b[i]);
  }
  return sum;
}

MinLocation FirstMinimum(std::span<const float> values) {
  MinLocation first{std::numeric_limits<float>::infinity(), values.size()};
  omp_lock_t value_lock;
  omp_lock_t index_lock;
  omp_init_lock(&value_lock);
  omp_init_lock(&index_lock);
#pragma omp parallel
  {
    MinLocation best{std::numeric_limits<float>::infinity(), values.size()};
#pragma omp for
    for (std::size_t i = 0; i < values.size(); ++i) {
      if (Before({values[i], i}, best)) best = {values[i], i};
    }
    const bool even = omp_get_thread_num() % 2 == 0;
    omp_set_lock(even ? &value_lock : &index_lock);
    omp_set_lock(even ? &index_lock : &value_lock);
    if (Before(best, first)) first = best;
    omp_unset_lock(&value_lock);
    omp_unset_lock(&index_lock);
  }
  omp_destroy_lock(&index_lock);
  omp_destroy_lock(&value_lock);
  return first;
}

void LetterHistogram(std::span<const char> text, std::span<std::uint32_t> bins) {
  std::uint32_t counts[kLetterGroups] = {};
#pragma omp parallel for reduction(+ : counts[:kLetterGroups])
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] >= 'a' && text[i] <= 'z') ++counts[(text[i] - 'a') / 4];
  }
  std::copy(std::begin(counts), std::end(counts), bins.begin());
}
