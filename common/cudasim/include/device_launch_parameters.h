// threadIdx and its relatives: cuda_runtime.h declares them.
#pragma once

#include "cuda_runtime.h"
