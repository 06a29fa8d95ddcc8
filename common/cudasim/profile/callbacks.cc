// The compiler's callbacks, with what profile mode does with each access inlined.
#include "common/cudasim/profile/on_access.h"

// Behind it: uses what it defines.
#include "common/cudasim/instrument/callbacks.h"
