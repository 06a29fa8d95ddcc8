// Warns at the end of the program of what it never released, once for each kind and place.  A leak
// is no error, because a GPU's driver cleans up after a process.
#pragma once

namespace cudasim {

// Device memory has been allocated: check it at the end of the program.
void WatchForLeaks();

}  // namespace cudasim
