#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

#include "common/lab/inputs.h"

namespace lab {

// A large input that many timed calls get, a little different each time: drawing all of it anew
// takes ten times as long as a call. Who remembers an answer must read all of the input to see
// whether it still holds. Use one object for each input:
//
//   static lab::RenewedInput<float> input;
//   const std::vector<float>& values = input.Draw(random, 1 << 25, FillFast);
//
// Not thread-safe.
template <typename T>
class RenewedInput {
 public:
  // n values, of which fill(random, std::vector<T>&) draws any number. For the n of the last call
  // it draws few, for random places. Valid until the next call.
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
