// Cooperative groups: blocks, tiles, coalesced threads, clusters and cooperative grids.
//
// Groups of several GPUs and tiles of more than 32 threads are refused.
#pragma once

#include "cuda_runtime.h"

#ifdef __CUDACC__
#if defined(__clang__)
#pragma clang force_cuda_host_device begin
#endif
#define CUDASIM_INCLUDED_BY_CUDA_RUNTIME_H 1
#include "cudasim/cluster_groups.h"
#include "cudasim/group_partitions.h"
#include "cudasim/groups.h"
#include "cudasim/lane_groups.h"
#undef CUDASIM_INCLUDED_BY_CUDA_RUNTIME_H
#if defined(__clang__)
#pragma clang force_cuda_host_device end
#endif
#endif
