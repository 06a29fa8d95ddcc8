// NVTX's name for it since version 3.
#pragma once

#include "../nvToolsExt.h"
