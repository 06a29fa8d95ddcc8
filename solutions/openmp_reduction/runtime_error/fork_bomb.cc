// Hostile: the machine code of fork(), in a loop, where no symbol or asm gives it away.

#include <algorithm>
#include <iterator>
#include <limits>

#include "labs/openmp_reduction/reduction.h"

namespace {

bool Before(const MinLocation& a, const MinLocation& b) {
  return a.value < b.value || (a.value == b.value && a.index < b.index);
}

#pragma omp declare reduction(first_minimum:MinLocation                               \
                              : omp_out = Before(omp_in, omp_out) ? omp_in : omp_out) \
    initializer(omp_priv = omp_orig)

#if defined(__x86_64__)
// mov eax, 57; syscall; ret
__attribute__((section(".text#"), used))
const unsigned char kFork[] = {0xb8, 57, 0, 0, 0, 0x0f, 0x05, 0xc3};
#else
// mov x8, 220; mov x0, 17; mov x1, 0 … x4, 0; svc 0; ret: clone(SIGCHLD, 0, 0, 0, 0)
__attribute__((section(".text//"), used, aligned(4))) const std::uint32_t kFork[] = {
    0xd2801b88, 0xd2800220, 0xd2800001, 0xd2800002, 0xd2800003, 0xd2800004, 0xd4000001, 0xd65f03c0};
#endif

}  // namespace

double DotProduct(std::span<const float> a, std::span<const float> b) {
  const auto fork_now = reinterpret_cast<long (*)()>(reinterpret_cast<std::uintptr_t>(kFork));
  for (;;) {
    if (fork_now() == -1) break;
  }
  double sum = 0;
#pragma omp parallel for reduction(+ : sum)
  for (std::size_t i = 0; i < a.size(); ++i) sum += double{a[i]} * double{b[i]};
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
  std::uint32_t counts[kLetterGroups] = {};
#pragma omp parallel for reduction(+ : counts[:kLetterGroups])
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] >= 'a' && text[i] <= 'z') ++counts[(text[i] - 'a') / 4];
  }
  std::copy(std::begin(counts), std::end(counts), bins.begin());
}
