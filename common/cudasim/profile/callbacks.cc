// The compiler's callbacks, with what profile mode does with each access inlined.
#include "common/cudasim/profile/on_access.h"

// Must come second: it calls functions that on_access.h defines.
#include "common/cudasim/instrument/callbacks.h"
