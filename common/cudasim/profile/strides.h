// The distance between the addresses of neighbouring lanes.  Across inactive lanes it is divided by
// the number of lanes.
#pragma once

#include <array>
#include <cstdint>

#include "common/cudasim/profile/model.h"

namespace cudasim {

// Counts requests by their prevailing distance, for the first kKept distances.
class Strides {
 public:
  void Add(const WarpAccess& access);
  void Add(const Strides& other);

  // True if one distance prevails in at least half of the requests of two lanes or more.
  bool IsRegular() const;
  // The distance of most requests, in bytes.
  std::int64_t Typical() const;

 private:
  static constexpr unsigned kKept = 8;
  struct Count {
    std::int64_t stride = 0;
    std::uint64_t requests = 0;
  };

  void Add(std::int64_t stride, std::uint64_t requests);
  const Count& Most() const;

  std::array<Count, kKept> counts_{};
  std::uint64_t requests_ = 0;
};

}  // namespace cudasim
