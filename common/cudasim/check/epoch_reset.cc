#include "common/cudasim/check/epoch_reset.h"

#include "common/cudasim/check/epochs.h"
#include "common/cudasim/check/family_order.h"
#include "common/cudasim/check/global_shadow.h"
#include "common/cudasim/check/stream_order.h"
#include "common/cudasim/check/warp_order.h"

namespace cudasim {
namespace {

bool EpochsRunLow() {
  const Epoch used = epochs.last;
  if (used > epochs.limit - epochs.limit / 8) return true;
  return used > epochs.limit / 2 && !HasUnorderedWork() && !HasUnorderedFamily();
}

}  // namespace

CheckedBlock* NewCheckedBlock() {
  auto* const block = new CheckedBlock;
  block->shadow.Reserve(kArenaBytes);
  epochs.blocks->push_back(block);
  return block;
}

void ResetEpochsIfLow() {
  if (!EpochsRunLow()) return;
  ForgetGlobalAccesses();
  for (CheckedBlock* const block : *epochs.blocks) {
    block->shadow.ForgetAccesses();
    ForgetWarpClocks(*block);
  }
  ForgetEpochsOfStreams();
  ForgetEpochsOfFamily();
  RestartEpochs();
}

}  // namespace cudasim
