// The CUDA runtime API under the name that host-only code includes.
#pragma once

#include "cuda_runtime.h"
