// cooperative_groups::memcpy_async(), wait() and wait_prior().
#pragma once

#include "../cooperative_groups.h"

#ifdef __CUDACC__

#pragma clang force_cuda_host_device begin

#include "cudasim/group_copies.h"

#pragma clang force_cuda_host_device end

#endif
