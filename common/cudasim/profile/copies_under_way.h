// How many bytes a thread's asynchronous copies keep under way: by Little's law these, over the
// latency of memory, are the rate at which it can copy.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace cudasim {

// Copies that are waited for together.
struct CopyBatch {
  std::uint64_t bytes = 0;
  std::uint64_t issued = 0;  // the sum over the bytes of the time when they were issued

  void Add(const CopyBatch& other) {
    bytes += other.bytes;
    issued += other.issued;
  }
  // The sum over the bytes of the time from issue to `now`.
  std::uint64_t TimeUntil(std::uint64_t now) const {
    return bytes * now > issued ? bytes * now - issued : 0;
  }
};

// The copies of one thread.  A time is the number of operations that it has made.
class CopiesUnderWay {
 public:
  void Issue(std::size_t bytes, std::uint64_t now) { open_.Add({bytes, bytes * now}); }
  void Commit() { batches_.push_back(std::exchange(open_, {})); }

  // Waits for all batches but the last `but`.  Returns the sum over their bytes of the time from
  // issue to now.
  std::uint64_t Wait(std::size_t but, std::uint64_t now) {
    std::uint64_t sum = 0;
    while (batches_.size() > but) {
      sum += batches_.front().TimeUntil(now);
      batches_.erase(batches_.begin());
    }
    return sum;
  }

  // All that it has not waited for.
  CopyBatch Take() {
    CopyBatch all = std::exchange(open_, {});
    for (const CopyBatch& batch : std::exchange(batches_, {})) all.Add(batch);
    return all;
  }

 private:
  CopyBatch open_;
  std::vector<CopyBatch> batches_;
};

}  // namespace cudasim
