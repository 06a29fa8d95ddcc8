// Counts by source line, with advice.
#pragma once

#include <string>
#include <vector>

#include "common/cudasim/profile/counters.h"

namespace cudasim {

// The instructions of one line with the same kind of access to the same memory.
struct LineFinding {
  std::string file;
  int line = 0;
  LineKind kind = LineKind::kGlobalLoad;
  Target target;
  LineCounts counts;
  unsigned widest = 0;  // bytes of a lane's widest access to the target, in any line
  double cost = 0;      // in wavefronts of 128 bytes, or lanes at one address
  double waste = 0;     // cost above the ideal
  std::string advice;   // empty if the line needs none
};

// Sorted by waste, the largest first.
std::vector<LineFinding> LinesOf(const KernelProfile& profile);

// Advice for the kernel as a whole: divergence, occupancy, parallelism.
std::vector<std::string> KernelAdvice(const KernelProfile& profile);

// "stores to out touch 32 sectors where 4 would do: ..."; empty if the line is fine.
std::string AdviceFor(const LineFinding& line);

// 1,048,576.
std::string WithCommas(std::uint64_t value);
// At most `digits` decimal places, without trailing zeros.
std::string Rounded(double value, int digits = 1);

}  // namespace cudasim
