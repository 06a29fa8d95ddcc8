// Places of __shared__ variables in the arena.
#include "common/cudasim/runtime/scheduler/shared_memory.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>

#include "common/cudasim/hooks/mode.h"
#include "common/cudasim/runtime/device/device.h"
#include "common/cudasim/runtime/memory/rounding.h"
#include "common/cudasim/runtime/scheduler/block.h"

namespace cudasim {

unsigned shared_static_end = 0;

namespace {

constexpr std::size_t kMinSharedAlignment = 128;
// Check mode leaves room between variables, so that running over one does not hit the next.
std::size_t Gap() { return kCheckMode ? 128 : 0; }

std::vector<PlacedVariable>& Variables() {
  static auto* const variables = new std::vector<PlacedVariable>;
  return *variables;
}

}  // namespace

const std::vector<PlacedVariable>& SharedVariables() { return Variables(); }

const PlacedVariable* NearestSharedVariable(std::size_t offset) {
  const PlacedVariable* nearest = nullptr;
  for (const PlacedVariable& placed : Variables()) {
    if (placed.offset <= offset) nearest = &placed;
  }
  return nearest;
}

unsigned RegisterShared(const SharedVariable& variable) {
  const std::size_t offset =
      RoundUp(shared_static_end, std::max(variable.alignment, kMinSharedAlignment));
  const std::size_t end = RoundUp(offset + variable.bytes + Gap(), kMinSharedAlignment);
  if (end + kMaxSharedBytesOptin > kArenaBytes) {
    std::fprintf(
        stderr,
        "error: too many __shared__ variables: %s:%d: %zu bytes in the program, limit %zu\n"
        "  next: make them smaller or fewer\n",
        variable.file, variable.line, end, kArenaBytes - kMaxSharedBytesOptin);
    std::exit(1);
  }
  Variables().push_back({variable, static_cast<unsigned>(offset)});
  shared_static_end = static_cast<unsigned>(end);
  return static_cast<unsigned>(offset);
}

}  // namespace cudasim
