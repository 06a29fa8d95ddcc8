#include "common/cudasim/runtime/stream_state.h"

namespace cudasim {

void OnSubmit(Streams&, const Operation&) {}

}  // namespace cudasim
