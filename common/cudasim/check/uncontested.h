// Granules of device memory that the running launch has to itself: no copy, kernel, host function
// or host access that is unordered with it touches them.  Accesses there need no comparison with
// other streams.  A granule is examined once in a launch, as nothing but the launch runs meanwhile.
#pragma once

#include <cstddef>
#include <cstdint>

namespace cudasim {

struct Uncontested {
  std::uint32_t* granules = nullptr;  // the number of the launch, times 4, and the two bits
  std::uint32_t launch = 0;
};

extern Uncontested uncontested __attribute__((visibility("hidden")));

constexpr std::uint32_t kMayRead = 1;   // nobody unordered writes the granule
constexpr std::uint32_t kMayWrite = 2;  // nobody unordered touches it

// To be called when a launch begins that other streams' work is unordered with.
void BeginUncontested();

// What the running launch may do to the granule; remembers it.
std::uint32_t ExamineGranule(std::size_t granule);

}  // namespace cudasim
