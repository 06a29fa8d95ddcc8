// Barriers and fences.  A barrier is identified by its source line, as compilers duplicate code.
#pragma once

extern "C" {
void cudasim_syncthreads(const char* file, int line);
// predicate operations: 0 count, 1 and, 2 or
int cudasim_syncthreads_reduce(const char* file, int line, int predicate, int operation);
// Orders the thread's accesses for its block, or for the whole device and system.
void cudasim_fence(int block_only);
void cudasim_pause();
// The barrier of a cluster, and addresses in the shared memory of its blocks; see
// runtime/scheduler/cluster.h.
void cudasim_cluster_sync(const char* file, int line);
void cudasim_cluster_arrive(const char* file, int line, int releases);
void cudasim_cluster_wait(const char* file, int line);
int cudasim_has_cluster();
void* cudasim_map_shared_rank(const void* address, unsigned rank, const char* file, int line);
unsigned cudasim_query_shared_rank(const void* address, const char* file, int line);
// Waits for all threads of a cooperative grid.
void cudasim_grid_sync(const char* file, int line);
int cudasim_is_cooperative();
}

#include "cudasim/sync_threads.h"

#define __syncthreads() ::cudasim::SyncThreads(__FILE__, __LINE__)
#define __syncthreads_count(p) ::cudasim_syncthreads_reduce(__FILE__, __LINE__, !!(p), 0)
#define __syncthreads_and(p) ::cudasim_syncthreads_reduce(__FILE__, __LINE__, !!(p), 1)
#define __syncthreads_or(p) ::cudasim_syncthreads_reduce(__FILE__, __LINE__, !!(p), 2)
#define __threadfence() ::cudasim_fence(0)
#define __threadfence_block() ::cudasim_fence(1)
#define __threadfence_system() ::cudasim_fence(0)
#define __nanosleep(ns) ((void)(ns), ::cudasim_pause())
