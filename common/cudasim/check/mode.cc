#include "common/cudasim/hooks/mode.h"

#include "common/cudasim/hooks/hooks.h"
#include "common/cudasim/include/cuda_runtime.h"

namespace cudasim {

const bool kCheckMode = true;
const bool kInstrumented = true;

// A hook that check mode does not use.
void OnPrefetch(const void*, std::size_t, bool) {}

}  // namespace cudasim

extern "C" {

int simulatorWriteProfile() { return 0; }
void simulatorResetProfile() {}

}  // extern "C"
