#include "common/cudasim/runtime/streams/clock.h"

#include <algorithm>

namespace cudasim {

void Clock::Set(unsigned slot, std::uint64_t count) {
  if (slot >= counts_.size()) counts_.resize(slot + 1);
  counts_[slot] = count;
}

void Clock::Join(const Clock& other) {
  if (other.counts_.size() > counts_.size()) counts_.resize(other.counts_.size());
  for (std::size_t i = 0; i < other.counts_.size(); ++i) {
    counts_[i] = std::max(counts_[i], other.counts_[i]);
  }
}

void Clock::Meet(const Clock& other) {
  if (counts_.size() > other.counts_.size()) counts_.resize(other.counts_.size());
  for (std::size_t i = 0; i < counts_.size(); ++i) {
    counts_[i] = std::min(counts_[i], other.counts_[i]);
  }
}

}  // namespace cudasim
