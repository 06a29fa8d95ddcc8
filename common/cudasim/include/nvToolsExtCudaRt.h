// NVTX's names for handles of CUDA, of which there are none here: the rest is in nvToolsExt.h.
#pragma once

#include "nvToolsExt.h"
