// What the program never gave back, at its end: a warning for each place and kind.  A GPU's driver
// cleans up after a process, so a leak is no error.
#pragma once

namespace cudasim {

// From now on there is device memory.
void WatchForLeaks();

}  // namespace cudasim
