// Check mode's view of cudaMalloc and cudaFree: shadow of freed memory, what is initialised.
#include "common/cudasim/check/global_shadow.h"
#include "common/cudasim/check/initialised.h"
#include "common/cudasim/check/leaks.h"
#include "common/cudasim/hooks/hooks.h"
#include "common/cudasim/instrument/call_account.h"
#include "common/cudasim/runtime/memory/heap.h"

namespace cudasim {

// Host code may write managed memory at any time, unseen.
void OnAllocate(const Allocation& allocation) {
  WatchForLeaks();
  if (allocation.managed) NoteInitialised(allocation.begin, allocation.bytes);
}

void OnFree(const Allocation& allocation) {
  DropGlobalShadow(allocation.begin, allocation.bytes);
  ForgetInitialised(allocation.begin, allocation.bytes);
  AccountFree(allocation.begin, allocation.bytes);
}

// The first read of each granule finds no cell that says what is initialised, and is looked at in
// full: so reads that are not the first pay nothing.
void OnWatchInput(const Allocation& input) { DropGlobalShadow(input.begin, input.bytes); }

void OnHostWrite(const void* begin, std::size_t bytes) {
  if (DeviceHeap::Contains(begin)) NoteInitialised(begin, bytes);
}

}  // namespace cudasim
