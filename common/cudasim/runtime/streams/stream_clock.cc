#include "common/cudasim/runtime/streams/stream_clock.h"

#include <algorithm>

namespace cudasim {

void StreamClock::Set(unsigned slot, std::uint64_t count) {
  if (slot >= counts_.size()) counts_.resize(slot + 1);
  counts_[slot] = count;
}

void StreamClock::Join(const StreamClock& other) {
  if (other.counts_.size() > counts_.size()) counts_.resize(other.counts_.size());
  for (std::size_t i = 0; i < other.counts_.size(); ++i) {
    counts_[i] = std::max(counts_[i], other.counts_[i]);
  }
}

void StreamClock::Meet(const StreamClock& other) {
  if (counts_.size() > other.counts_.size()) counts_.resize(other.counts_.size());
  for (std::size_t i = 0; i < counts_.size(); ++i) {
    counts_[i] = std::min(counts_[i], other.counts_[i]);
  }
}

}  // namespace cudasim
