#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

#include "common/lab/inputs.h"

namespace lab {

// A large input for many timed calls, of which a few values change from call to call: drawing all
// of it anew takes ten times as long as a call. A function that caches its answer must still read
// all of the input to see whether the answer holds. Use one object for each input:
//
//   static lab::RenewedInput<float> input;
//   const std::vector<float>& values = input.Draw(random, 1 << 25, FillFast);
//
// Not thread-safe.
template <typename T>
class RenewedInput {
 public:
  // n values drawn by fill(random, std::vector<T>&), which fills a vector of any size. If the last
  // call had the same n, only a few values at random places are new. Valid until the next call.
  template <typename Fill>
  std::vector<T>& Draw(Random& random, std::size_t n, const Fill& fill) {
    if (values_.size() != n) {
      values_.resize(n);
      fill(random, values_);
      return values_;
    }
    std::vector<T> fresh(std::min(n, kFresh));
    fill(random, fresh);
    for (const T& value : fresh) values_[random.UniformInt<std::size_t>(0, n - 1)] = value;
    return values_;
  }

 private:
  static constexpr std::size_t kFresh = 4096;

  std::vector<T> values_;
};

}  // namespace lab
