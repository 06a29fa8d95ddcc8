// One event of a lane: a memory access or the entry of a basic block.
#pragma once

#include <cstdint>

#include "common/cudasim/include/cuda_runtime.h"
#include "common/cudasim/instrument/access.h"

namespace cudasim {

enum class EventType : std::uint8_t {
  kBlock,  // entered a basic block; has no address
  kGlobal,
  kShared,       // of the block's own
  kDistributed,  // shared memory of another block of the cluster
  kConstant,
  kWait,  // a load that waits, see Waits: counts as no instruction
};

struct Event {
  std::uint64_t address;
  std::uint32_t pc;    // CodeOffset
  std::uint16_t path;  // calls on the stack: 5 bits of depth above 11 bits of hash
  std::uint8_t bytes : 5;
  EventType type : 3;
  Operation operation : 2;
  AtomicKind kind : 3;
  bool result_used : 1;
  std::uint8_t unused : 2 = 0;  // or each store of an event would read the one before it

  // The sort key for aligning lanes: the deepest call first, then the lowest address, because the
  // compiler places the code after a branch or loop, where lanes reconverge, behind it.
  std::uint64_t Order() const {
    const auto height = static_cast<std::uint64_t>(0xFFFF - path);
    return height << 40 | static_cast<std::uint64_t>(pc) << 8 | static_cast<std::uint64_t>(type);
  }
};
static_assert(sizeof(Event) == 16, "events are many: keep them small");

}  // namespace cudasim
