// How many bytes a thread's asynchronous copies keep under way: by Little's law these, over the
// latency of memory, are the rate at which it can copy.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace cudasim {

// The copies of one thread.  A time is the number of operations that it has made.
class CopiesUnderWay {
 public:
  void Issue(std::size_t bytes, std::uint64_t now) {
    open_.bytes += bytes;
    open_.issued += bytes * now;
  }
  void Commit() { batches_.push_back(std::exchange(open_, {})); }

  // Waits for all batches but the last `but`.  Returns the sum over their bytes of the time from
  // issue to now.
  std::uint64_t Wait(std::size_t but, std::uint64_t now) {
    std::uint64_t sum = 0;
    while (batches_.size() > but) {
      sum += batches_.front().bytes * now - batches_.front().issued;
      batches_.erase(batches_.begin());
    }
    return sum;
  }

 private:
  struct Batch {
    std::uint64_t bytes = 0;
    std::uint64_t issued = 0;  // the sum over the bytes of the time when they were issued
  };
  Batch open_;
  std::vector<Batch> batches_;
};

}  // namespace cudasim
