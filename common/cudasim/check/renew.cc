#include "common/cudasim/check/renew.h"

#include <vector>

#include "common/cudasim/check/global_shadow.h"
#include "common/cudasim/check/stream_order.h"
#include "common/cudasim/check/warp_order.h"

namespace cudasim {
namespace {

std::vector<CheckedBlock*>& AllBlocks() {
  static auto* const blocks = new std::vector<CheckedBlock*>;
  return *blocks;
}

bool AreFew() {
  const Serial used = LastSerial();
  if (used > serial_limit - serial_limit / 8) return true;
  return used > serial_limit / 2 && !HasUnorderedWork();
}

}  // namespace

CheckedBlock* NewCheckedBlock() {
  auto* const block = new CheckedBlock;
  block->shadow.Reserve(kArenaBytes);
  AllBlocks().push_back(block);
  return block;
}

void RenewSerialsIfFew() {
  if (!AreFew()) return;
  ForgetGlobalRecords();
  for (CheckedBlock* const block : AllBlocks()) {
    block->shadow.ForgetRecords();
    ForgetWarpClocks(*block);
  }
  ForgetSerialsOfStreams();
  RestartSerials();
}

}  // namespace cudasim
