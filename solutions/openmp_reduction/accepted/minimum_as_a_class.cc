// Right: a class knows how to take in a value and another minimum; 256 bins, folded to 7 at the
// end.

#include <limits>

#include "labs/openmp_reduction/reduction.h"

namespace {

class Minimum {
 public:
  void Offer(float value, std::size_t index) {
    if (value < value_ || (value == value_ && index < index_)) {
      value_ = value;
      index_ = index;
    }
  }
  void Merge(const Minimum& other) { Offer(other.value_, other.index_); }
  MinLocation Location(std::size_t size) const { return {value_, index_ < size ? index_ : size}; }

 private:
  float value_ = std::numeric_limits<float>::infinity();
  std::size_t index_ = std::numeric_limits<std::size_t>::max();
};

#pragma omp declare reduction(merge:Minimum \
                              : omp_out.Merge(omp_in)) initializer(omp_priv = Minimum())

}  // namespace

double DotProduct(std::span<const float> a, std::span<const float> b) {
  double sum = 0;
#pragma omp parallel for simd schedule(static) reduction(+ : sum)
  for (std::size_t i = 0; i < a.size(); ++i) {
    sum += static_cast<double>(a[i]) * static_cast<double>(b[i]);
  }
  return sum;
}

MinLocation FirstMinimum(std::span<const float> values) {
  Minimum minimum;
#pragma omp parallel for reduction(merge : minimum)
  for (std::size_t i = 0; i < values.size(); ++i) minimum.Offer(values[i], i);
  return minimum.Location(values.size());
}

void LetterHistogram(std::span<const char> text, std::span<std::uint32_t> bins) {
  std::uint32_t counts[256] = {};
#pragma omp parallel for reduction(+ : counts)
  for (std::size_t i = 0; i < text.size(); ++i) ++counts[static_cast<unsigned char>(text[i])];
  for (std::uint32_t& bin : bins) bin = 0;
  for (int letter = 'a'; letter <= 'z'; ++letter) bins[(letter - 'a') / 4] += counts[letter];
}
