// What cudaMalloc and cudaFree change in the shadow and in the record of initialised memory.
#include "common/cudasim/check/global_shadow.h"
#include "common/cudasim/check/initialised.h"
#include "common/cudasim/check/leaks.h"
#include "common/cudasim/hooks/hooks.h"
#include "common/cudasim/instrument/call_account.h"
#include "common/cudasim/runtime/memory/heap.h"

namespace cudasim {

// Host code that is not instrumented may initialise managed memory at any time.
void OnAllocate(const Allocation& allocation) {
  WatchForLeaks();
  if (allocation.managed) NoteInitialised(allocation.begin, allocation.bytes);
}

void OnFree(const Allocation& allocation) {
  DropGlobalShadow(allocation.begin, allocation.bytes);
  ForgetInitialised(allocation.begin, allocation.bytes);
  AccountFree(allocation.begin, allocation.bytes);
}

// Drops the cells, so that the first read of each granule takes the slow path, which accounts for
// it; later reads cost nothing more.
void OnWatchInput(const Allocation& input) { DropGlobalShadow(input.begin, input.bytes); }

void OnCallBegin() {}
void OnCallEnd() {}
void OnCopied(const void*, const void*, std::size_t) {}

void OnHostWrite(const void* begin, std::size_t bytes) {
  if (DeviceHeap::Contains(begin)) NoteInitialised(begin, bytes);
}

}  // namespace cudasim
