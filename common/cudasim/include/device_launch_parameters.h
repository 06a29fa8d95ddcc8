// threadIdx and its friends: cuda_runtime.h declares them too.
#pragma once

#include "cuda_runtime.h"
