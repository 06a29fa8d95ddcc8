// Cooperative groups: blocks, tiles, coalesced threads, clusters and cooperative grids.
//
// Groups of several GPUs and tiles of more than 32 threads are refused.
#pragma once

#include "cuda_runtime.h"

#ifdef __CUDACC__
#pragma clang force_cuda_host_device begin
#include "cudasim/cluster_groups.h"
#include "cudasim/group_partitions.h"
#include "cudasim/groups.h"
#include "cudasim/lane_groups.h"
#pragma clang force_cuda_host_device end
#endif
