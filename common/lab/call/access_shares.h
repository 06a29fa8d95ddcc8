#pragma once

// Which thread of a call used how much of its inputs and outputs: evidence beside the clock, which
// sees that threads are busy and not with what. Code that is compiled for ThreadSanitizer tells of
// each access; access_shares.cc stands in for ThreadSanitizer and counts.

#include <cstddef>
#include <cstdint>

extern "C" {

// A span of a call.
struct LabSpan {
  const void* data;
  std::size_t bytes;
  bool is_output;
};

// In bytes. A thread used what it read of the inputs as the caller passed them, what it read that
// another thread wrote during the call, each version once, and the outputs that it wrote last. So
// work on copies, and waiting, count nothing.
struct LabShares {
  std::uint64_t used;     // by any thread
  std::uint64_t busiest;  // by the thread that used most
  std::uint64_t spans;    // of all spans
  std::uint64_t inputs;   // of those that the call only reads
  std::uint64_t threads;  // not bytes: those that used a 64th or more
};

// Around a call; one at a time. Null in programs without access_shares.cc.
__attribute__((weak)) void LabBeginShares(const LabSpan* spans, std::size_t count);
__attribute__((weak)) LabShares LabEndShares();
}

namespace lab {

// How many threads shared the work at most: the used bytes over the busiest thread's. Static halves
// give 2; one thread that does all, and threads that all do the same, give 1. Without inputs each
// output may cost as much as it likes: then all threads that wrote some count. `most` where it
// cannot be told: too little of the spans was seen, as where functions of a library read the
// inputs, or they are so small that each thread may need all of them.
inline double SharedBy(const LabShares& shares, double most) {
  constexpr std::uint64_t kSmall = 512;
  const bool is_known = shares.spans > kSmall && shares.used > shares.spans / 4;
  if (!is_known || shares.busiest == 0) return most;
  const double used = static_cast<double>(shares.used);
  const double busiest = static_cast<double>(shares.busiest);
  return shares.inputs == 0 ? static_cast<double>(shares.threads) : used / busiest;
}

// An upper bound of the speedup to expect: the shares may differ by a third by chance, and between
// phases of a job. Below the labs' thresholds where one thread does all.
inline double MostSpeedup(double shared_by) { return 1.4 * shared_by; }

}  // namespace lab
