// Draws the timeline of a call as text.
#pragma once

#include <cstdint>
#include <string>

#include "common/cudasim/runtime/streams/layout.h"

namespace cudasim {

// "kernels", ...; kNone is the host.
const char* NameOf(Engine engine);

// A row for each engine that did something and one for the host, with the stream of each operation:
//
//   overlap 1.8: operations of 65 us in 36 us
//   makespan 36,000, host_waits 1, page_faults 0
//     host         |#---......--|
//     host to GPU  |111222111222|
//     kernels      |..111222111.|
//     0: the default stream; ...
//
// `page_faults` are those of the call.  Empty if fewer than two engines did something, and neither
// the host accessed pinned or managed memory nor pages moved on demand: then nothing can overlap.
std::string DrawTimeline(const Trace& trace, const Layout& layout, std::uint64_t page_faults);

}  // namespace cudasim
