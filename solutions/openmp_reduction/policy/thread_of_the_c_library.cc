// Hostile: returns at once; a thread of the C library fills in the bins a moment later.

#include <limits>
#include <memory>
#include <vector>

#include "labs/openmp_reduction/reduction.h"

extern "C" {
int thrd_create(unsigned long* thread, int (*start)(void*), void* argument);
int thrd_detach(unsigned long thread);
int usleep(unsigned microseconds);
}

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

struct Work {
  std::vector<char> text;
  std::span<std::uint32_t> bins;
};

int CountLater(void* argument) {
  const std::unique_ptr<Work> work(static_cast<Work*>(argument));
  usleep(20'000);
  for (std::uint32_t& bin : work->bins) bin = 0;
  for (const char c : work->text) {
    if (c >= 'a' && c <= 'z') ++work->bins[(c - 'a') / 4];
  }
  return 0;
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
  MinLocation best{std::numeric_limits<float>::infinity(), values.size()};
#pragma omp parallel for reduction(first_minimum : best)
  for (std::size_t i = 0; i < values.size(); ++i) {
    const MinLocation candidate{values[i], i};
    if (Before(candidate, best)) best = candidate;
  }
  return best;
}

void LetterHistogram(std::span<const char> text, std::span<std::uint32_t> bins) {
  auto work = std::make_unique<Work>(Work{{text.begin(), text.end()}, bins});
  unsigned long thread = 0;
  if (thrd_create(&thread, CountLater, work.get()) != 0) return;
  work.release();
  thrd_detach(thread);
}
