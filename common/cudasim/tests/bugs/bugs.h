// What programs with bugs have in common. X.txt holds the simulator's reports of those in X.cu.
#pragma once

#include "common/cudasim/tests/programs.h"

// Leaves out what nvcc rejects, so that the rest can be compared with other tools on a GPU.
#ifdef __NVCC__
#define NOT_ON_A_GPU(...)
#else
#define NOT_ON_A_GPU(...) __VA_ARGS__
#endif
