// Draws the timeline of a call as text.
#pragma once

#include <string>

#include "common/cudasim/runtime/streams/layout.h"

namespace cudasim {

// A row for each engine that did something and one for the host, with the stream of each operation:
//
//   overlap 1.8: operations of 65 us in 36 us
//     host         |#---......--|
//     host to GPU  |111222111222|
//     kernels      |..111222111.|
//     0: the default stream; ...
//
// Empty if fewer than two engines did something: then nothing can overlap.
std::string DrawTimeline(const Trace& trace, const Layout& layout);

}  // namespace cudasim
