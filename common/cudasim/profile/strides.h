// The distance between the addresses of neighbouring lanes, also where a lane between two is off.
#pragma once

#include <array>
#include <cstdint>

#include "common/cudasim/profile/model.h"

namespace cudasim {

// Counts the distances that prevail within requests; keeps a few.
class Strides {
 public:
  void Add(const WarpAccess& access);
  void Add(const Strides& other);

  // Whether one distance prevails in most requests with two neighbouring lanes, and which.
  bool IsRegular() const;
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
