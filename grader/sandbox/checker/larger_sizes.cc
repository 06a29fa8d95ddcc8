#include "grader/sandbox/checker/larger_sizes.h"

#include <algorithm>
#include <cmath>
#include <ctime>

#include "common/lab/call/run_settings.h"
#include "common/lab/testing/inputs.h"

namespace grader::checker {

std::string LargerSizes::NextRound() {
  is_repeating_ = true;
  std::string filter;
  for (const auto& [test, known] : known_) {
    if (Fitting(known) < known.divisor) filter += test.first + "." + test.second + ":";
  }
  return filter;
}

void LargerSizes::Begin(const std::string& suite, const std::string& name) {
  running_ = {suite, name};
  divisor_ = kRacesDivisor;
  if (const auto at = known_.find(running_); at != known_.end()) {
    // Nobody can tell which sizes are not checked.
    const std::size_t before = at->second.divisor, least = Fitting(at->second);
    if (least < before) {
      const std::size_t most = std::min(least + least / 2, before - 1);
      divisor_ = lab::Random().UniformInt<std::size_t>(least, most);
    }
  }
  lab::SetScaleDivisor(divisor_);
  lab::TakeScaled();
  begun_ = Seconds();
}

void LargerSizes::End(bool passed) {
  const double seconds = std::max(Seconds() - begun_, 1e-6);
  if (is_repeating_) left_ -= seconds;
  if (!passed) {
    std::erase_if(known_, [&](const auto& test) { return test.first.first == running_.first; });
  } else if (lab::TakeScaled()) {
    Known& known = known_[running_];
    if (divisor_ > known.divisor) return;
    if (divisor_ < known.divisor) {
      const double larger = static_cast<double>(known.divisor) / static_cast<double>(divisor_);
      known.growth = std::clamp(std::log(seconds / known.seconds) / std::log(larger), 1.0, 3.0);
    }
    known.divisor = divisor_;
    known.seconds = seconds;
  }
}

std::size_t LargerSizes::Fitting(const Known& known) const {
  if (left_ < known.seconds) return known.divisor;
  const double larger = std::pow(left_ / known.seconds, 1 / known.growth);
  return std::max<std::size_t>(1, std::ceil(static_cast<double>(known.divisor) / larger));
}

double LargerSizes::Seconds() const {
  return program_.calls() + static_cast<double>(std::clock()) / CLOCKS_PER_SEC;
}

}  // namespace grader::checker
