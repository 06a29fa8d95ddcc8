// The compiler's callbacks, with what profile mode does with each access inlined.
#include "common/cudasim/profile/on_access.h"

// Must come second: it calls functions that on_access.h defines.
#include "common/cudasim/instrument/callbacks.h"

namespace cudasim {

// A load of global memory and a store to shared memory, as far as counters tell.
void CheckCopy(void* to, const void* from, std::size_t bytes, const void* barrier, const void* pc) {
  OnRange(static_cast<char*>(const_cast<void*>(from)), bytes, Operation::kRead, pc);
  OnRange(static_cast<char*>(to), bytes, Operation::kWrite, pc);
  std::memmove(to, from, bytes);
  if (!in_kernel) return;
  CheckedThread& thread = *current_fiber->checked;
  if (barrier == nullptr) return thread.copies.Issue(bytes, thread.operations);
  const LeaveKernel leave;
  memory_barriers.Bind(barrier, BlockOfWord(barrier), {bytes, bytes * thread.clock()});
}

}  // namespace cudasim
