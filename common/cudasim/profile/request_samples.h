// The first request of each cost of a memory instruction, so that pictures can show the lanes'
// addresses of the first, the median and the worst request.  Kept only if
// CUDASIM_PROFILE_SAMPLES is set.
#pragma once

#include <cstdint>
#include <vector>

#include "common/cudasim/profile/model.h"

namespace cudasim {

// CUDASIM_PROFILE_SAMPLES: requests; and what happened when.
bool KeepsSamples();
bool KeepsTraces();

// In sectors of global memory, in wavefronts of shared memory, or, of atomic operations on global
// memory, in lanes at one address.
struct RequestCost {
  std::uint64_t taken = 0;
  std::uint64_t ideal = 0;

  std::uint64_t waste() const { return taken - ideal; }
  friend bool operator==(const RequestCost&, const RequestCost&) = default;
};

struct RequestSample {
  RequestCost cost;
  std::uint64_t requests = 0;  // with this cost
  std::uint64_t order = 0;     // among all requests of the program
  std::uint64_t block = 0;     // linear index
  unsigned warp = 0;           // of the block
  std::uint64_t offset = 0;    // of the lowest address in its allocation, in bytes
  WarpAccess access;
};

class RequestSamples {
 public:
  // Counts a request. The sample to fill in if it is the first of its cost, else null.
  RequestSample* Count(RequestCost cost);
  void Add(const RequestSamples& other);

  const std::vector<RequestSample>& all() const { return samples_; }
  // Null if there are none.
  const RequestSample* First() const;
  const RequestSample* Median() const;  // by what it wastes
  const RequestSample* Worst() const;

 private:
  static constexpr std::size_t kMost = 96;  // costs of one instruction

  std::vector<RequestSample> samples_;
  std::size_t last_ = 0;
};

}  // namespace cudasim
