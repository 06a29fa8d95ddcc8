// What was counted, line by line, with advice.
#pragma once

#include <string>
#include <vector>

#include "common/cudasim/profile/counters.h"

namespace cudasim {

// The instructions of one line that do the same to the same memory.
struct LineFinding {
  std::string file;
  int line = 0;
  LineKind kind = LineKind::kGlobalLoad;
  Target target;
  LineCounts counts;
  double waste = 0;    // in wavefronts, or what takes as long, that better code would not need
  std::string advice;  // empty: nothing to gain worth a word
};

// Worst first.
std::vector<LineFinding> LinesOf(const KernelProfile& profile);

// Of the kernel as a whole: divergence, occupancy.
std::vector<std::string> KernelAdvice(const KernelProfile& profile);

// "stores to out touch 32 sectors where 4 would do: ..."; empty if the line is fine.
std::string AdviceFor(const LineFinding& line);

// 1,048,576.
std::string WithCommas(std::uint64_t value);
// At most `digits` behind the point, without zeros at the end.
std::string Rounded(double value, int digits = 1);

}  // namespace cudasim
