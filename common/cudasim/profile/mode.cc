#include "common/cudasim/hooks/mode.h"

#include "common/cudasim/hooks/hooks.h"

namespace cudasim {

const bool kCheckMode = false;
const bool kInstrumented = true;

// Hooks that profile mode does not use.
void OnHandBack(const Allocation&) {}
void OnSubmit(Streams&, const StreamOperation&) {}
void ForgetRanges(const void*, std::size_t) {}
void OnMade(HandleKind, const void*, const void*) {}
void OnEnded(HandleKind, const void*) {}
void OnAllEnded() {}

}  // namespace cudasim
