// NVTX's functions that name CUDA handles are not simulated; the others are in nvToolsExt.h.
#pragma once

#include "nvToolsExt.h"
