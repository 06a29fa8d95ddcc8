#include "common/cudasim/runtime/scheduler/block.h"

#include <sys/mman.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "common/cudasim/runtime/scheduler/grid.h"

namespace cudasim {
namespace {

constexpr int kPoison = 0xA5;  // what fresh shared memory holds

char* NewArena() {
  void* const memory = mmap(nullptr, kArenaBytes, PROT_READ | PROT_WRITE,
                            MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED) {
    std::fputs("error: out of memory for shared memory\n  next: raise the memory limit\n", stderr);
    std::abort();
  }
  std::memset(memory, kPoison, std::min<std::size_t>(shared_static_end, kArenaBytes));
  return static_cast<char*>(memory);
}

uint3 Unflatten(unsigned long long linear, const dim3& extent) {
  return {static_cast<unsigned>(linear % extent.x),
          static_cast<unsigned>(linear / extent.x % extent.y),
          static_cast<unsigned>(linear / extent.x / extent.y)};
}

// The index of the block that starts as number `position`: cluster by cluster.
uint3 BlockIndex(unsigned long long position, const Grid& grid) {
  if (grid.cluster_blocks == 1) return Unflatten(position, grid.extent);
  const dim3& cluster = grid.cluster_extent;
  const dim3 clusters{grid.extent.x / cluster.x, grid.extent.y / cluster.y,
                      grid.extent.z / cluster.z};
  const uint3 outer = Unflatten(position / grid.cluster_blocks, clusters);
  const uint3 inner = Unflatten(position % grid.cluster_blocks, cluster);
  return {outer.x * cluster.x + inner.x, outer.y * cluster.y + inner.y,
          outer.z * cluster.z + inner.z};
}

}  // namespace

std::unique_ptr<Block> NewBlock() {
  auto block = std::make_unique<Block>();
  block->arena = NewArena();
  return block;
}

void BeginBlock(Block& block, Grid& grid, unsigned long long position) {
  block.grid = &grid;
  block.threads = block.live = grid.threads;
  block.next = block.blocked = 0;
  block.index = BlockIndex(position, grid);
  block.linear =
      block.index.x + grid.extent.x * (block.index.y + 1ull * grid.extent.y * block.index.z);
  block.arrived = block.arrived_at_grid = block.arrived_in_cluster = 0;
  block.waits_for_grid = block.uses_cluster = false;
  block.ready.Clear();
  block.at_barrier.Clear();
  block.at_grid_barrier.Clear();
  block.at_cluster_barrier.Clear();
}

}  // namespace cudasim
