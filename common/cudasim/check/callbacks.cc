// The compiler's callbacks, with what check mode does with each access inlined.
#include "common/cudasim/check/on_access.h"

// Behind it: uses what it defines.
#include "common/cudasim/instrument/callbacks.h"
