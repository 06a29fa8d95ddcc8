// Plain mode: all hooks are empty, for speed.  Guard pages catch faults.
#include "common/cudasim/hooks/hooks.h"
#include "common/cudasim/hooks/mode.h"
#include "common/cudasim/include/cuda_runtime.h"

namespace cudasim {

const bool kCheckMode = false;
const bool kInstrumented = false;

void OnGridBegin(Grid&) {}
void OnGridEnd(Grid&) {}
void OnBlockBegin(Block&) {}
void OnBlockEnd(Block&) {}
void OnBarrierArrive(Block&, const Site&) {}
void OnBarrierRelease(Block&) {}
void OnWarpArrive(Fiber&) {}
void OnWarpRelease(Block&, unsigned, unsigned, bool) {}
void OnGridArrive(Fiber&) {}
void OnGridSync(Block&) {}
void OnClusterArrive(Block&, bool, bool) {}
void OnClusterSuspend(Fiber&) {}
void OnClusterRelease(Cluster&) {}
void OnClusterResume(Block&) {}
void OnFence(bool) { __atomic_thread_fence(__ATOMIC_SEQ_CST); }
void OnKernelResumed() {}
void OnSweep(SweepEvent) {}
std::shared_ptr<const LaunchPoint> OnChildLaunch() { return nullptr; }
void OnNoProgress() {}
void OnHostWrite(const void*, std::size_t) {}
void OnAllocate(const Allocation&) {}
void OnFree(const Allocation&) {}
void OnHostCopy(const HostCopy&) {}
std::uint32_t OnFillBegin(const char*, const void*, std::size_t) { return 0; }
void OnFillRow(std::uint32_t, const void*, std::size_t) {}
void OnPrefetch(const void*, std::size_t, bool) {}
void OnParameters(std::size_t) {}
void OnCachedRead(const char*, std::size_t, const void*, bool) {}
void OnTextureRead(const char*, std::size_t, const void*) {}
void OnNameArgument(const Allocation&) {}
void OnHandBack(const Allocation&) {}
void OnSubmit(Streams&, const StreamOperation&) {}
void ForgetRanges(const void*, std::size_t) {}
void OnMade(HandleKind, const void*, const void*) {}
void OnEnded(HandleKind, const void*) {}
void OnAllEnded() {}

}  // namespace cudasim

extern "C" {

int simulatorWriteProfile() { return 0; }
void simulatorResetProfile() {}

}  // extern "C"
