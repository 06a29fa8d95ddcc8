// cooperative_groups::memcpy_async(), wait() and wait_prior().
#pragma once

#include "../cooperative_groups.h"

#ifdef __CUDACC__

#if defined(__clang__)
#pragma clang force_cuda_host_device begin
#endif

#include "cudasim/group_copies.h"

#if defined(__clang__)
#pragma clang force_cuda_host_device end
#endif

#endif
