// Check mode's view of cudaMalloc and cudaFree: shadow of freed memory, leaks at exit.
#include <cstdlib>
#include <map>
#include <string>

#include "common/cudasim/check/global_shadow.h"
#include "common/cudasim/check/initialised.h"
#include "common/cudasim/runtime/check_hooks.h"
#include "common/cudasim/runtime/describe.h"
#include "common/cudasim/runtime/heap.h"
#include "common/cudasim/runtime/report.h"

namespace cudasim {
namespace {

// At exit: a GPU's driver cleans up after a process, so a leak is no error.
struct WarnOfLeaks {
  ~WarnOfLeaks() {
    std::map<std::string, int> times;
    for (const Allocation* const allocation : DeviceHeap::Get().Live()) {
      ++times[Describe(*allocation)];
    }
    for (const auto& [what, count] : times) {
      Warn("leak", "cudaFree never got " + what +
                       (count > 1 ? " (" + std::to_string(count) + " times)" : ""));
    }
  }
};

}  // namespace

// Host code may write managed memory at any time, unseen.
void OnAllocate(const Allocation& allocation) {
  static const WarnOfLeaks at_exit;
  if (allocation.managed) NoteInitialised(allocation.begin, allocation.bytes);
}

void OnFree(const Allocation& allocation) {
  DropGlobalShadow(allocation.begin, allocation.bytes);
  ForgetInitialised(allocation.begin, allocation.bytes);
}

void OnHostWrite(const void* begin, std::size_t bytes) {
  if (DeviceHeap::Contains(begin)) NoteInitialised(begin, bytes);
}

}  // namespace cudasim
