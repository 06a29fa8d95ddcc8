// Vector clocks over streams.
#pragma once

#include <cstdint>
#include <vector>

namespace cudasim {

// For each stream, by its slot, how many of its operations are known to be over.
class StreamClock {
 public:
  std::uint64_t operator[](unsigned slot) const {
    return slot < counts_.size() ? counts_[slot] : 0;
  }
  void Set(unsigned slot, std::uint64_t count);
  void Join(const StreamClock& other);  // of each slot the larger
  void Meet(const StreamClock& other);  // of each slot the smaller

 private:
  std::vector<std::uint64_t> counts_;
};

}  // namespace cudasim
