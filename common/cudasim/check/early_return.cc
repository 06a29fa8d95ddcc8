#include "common/cudasim/check/early_return.h"

#include "common/cudasim/runtime/diagnostics/report.h"

namespace cudasim {

void CheckNobodyReturned(const Block& block, const char* barrier, const Site& site) {
  if (block.live == block.threads) return;
  Report({"barrier_divergence",
          DescribeKernel() + ", " + ToString(site) + ": " +
              std::to_string(block.threads - block.live) + " of " + std::to_string(block.threads) +
              " threads returned before the " + barrier + " that the others wait in",
          {"first to return: thread " + ToString(block.checked->first_returned) + " of block " +
               ToString(block.index),
           DescribeLaunch()}});
}

}  // namespace cudasim
