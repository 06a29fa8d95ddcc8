#include "common/cudasim/check/leaks.h"

#include <map>
#include <mutex>
#include <string>
#include <utility>

#include "common/cudasim/hooks/hooks.h"
#include "common/cudasim/runtime/diagnostics/report.h"
#include "common/cudasim/runtime/diagnostics/symbolizer.h"
#include "common/cudasim/runtime/memory/describe.h"
#include "common/cudasim/runtime/memory/heap.h"

namespace cudasim {
namespace {

struct Words {
  const char* end;  // the call that would have released it
  const char* what;
};

constexpr Words kWords[] = {{"cudaStreamDestroy", "the stream made"},
                            {"cudaEventDestroy", "the event made"},
                            {"cudaDestroyTextureObject", "the texture object made"},
                            {"cudaDestroySurfaceObject", "the surface object made"},
                            {"cudaMemPoolDestroy", "the memory pool made"},
                            {"cudaHostUnregister", "the memory registered"},
                            {"cudaGraphDestroy", "the graph made"},
                            {"cudaGraphExecDestroy", "the executable graph made"}};

struct Made {
  std::mutex mutex;
  std::map<std::pair<HandleKind, const void*>, const void*> callers;
};

Made& AllMade() {
  static auto* const made = new Made;
  return *made;
}

const char* FreeingCall(const Allocation& allocation) {
  if (allocation.array) return "cudaFreeArray";
  return allocation.pinned ? "cudaFreeHost" : "cudaFree";
}

bool has_memory = false;

// Runs after the destructors of the program's static variables, which may still release memory.
__attribute__((destructor)) void WarnOfLeaks() {
  std::map<std::string, int> times;
  if (has_memory) {
    for (const Allocation* const allocation : DeviceHeap::Get().Live()) {
      ++times[FreeingCall(*allocation) + (" never got " + Describe(*allocation))];
    }
  }
  for (const auto& [handle, caller] : AllMade().callers) {
    const Words& words = kWords[static_cast<int>(handle.first)];
    ++times[std::string(words.end) + " never got " + words.what + " at " +
            Locate(caller).ToString()];
  }
  for (const auto& [what, count] : times) {
    Warn("leak", what + (count > 1 ? " (" + std::to_string(count) + " times)" : ""));
  }
}

}  // namespace

void WatchForLeaks() { has_memory = true; }

void OnMade(HandleKind kind, const void* handle, const void* caller) {
  const std::lock_guard lock(AllMade().mutex);
  AllMade().callers[{kind, handle}] = caller;
}

void OnEnded(HandleKind kind, const void* handle) {
  const std::lock_guard lock(AllMade().mutex);
  AllMade().callers.erase({kind, handle});
}

void OnAllEnded() {
  const std::lock_guard lock(AllMade().mutex);
  AllMade().callers.clear();
}

}  // namespace cudasim
