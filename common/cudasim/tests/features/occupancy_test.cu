// How many blocks fit on a multiprocessor: by threads, blocks and shared memory.
#include "common/cudasim/tests/features/test.h"

namespace {

__global__ void Empty() {}

__global__ void Tile(float* out) {
  __shared__ float tile[4096];  // 16 KiB
  tile[threadIdx.x] = 0;
  out[threadIdx.x] = tile[threadIdx.x];
}

int Blocks(void (*kernel)(), int threads, size_t bytes) {
  int blocks = -1;
  EXPECT_EQ(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, kernel, threads, bytes),
            cudaSuccess);
  return blocks;
}

TEST(OccupancyTest, ThreadsLimit) {
  EXPECT_EQ(Blocks(Empty, 1024, 0), 2);
  EXPECT_EQ(Blocks(Empty, 256, 0), 8);
  EXPECT_EQ(Blocks(Empty, 96, 0), 21);
  EXPECT_EQ(Blocks(Empty, 97, 0), 16);
}

TEST(OccupancyTest, BlocksLimit) {
  EXPECT_EQ(Blocks(Empty, 64, 0), 32);
  EXPECT_EQ(Blocks(Empty, 1, 0), 32);
}

TEST(OccupancyTest, SharedMemoryLimits) {
  EXPECT_EQ(Blocks(Empty, 32, 48 << 10), 4);
  EXPECT_EQ(Blocks(Empty, 32, (48 << 10) + 1), 0);  // without opting in
  int blocks = -1;
  ASSERT_EQ(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, Tile, 128, 0), cudaSuccess);
  EXPECT_EQ(blocks, 13);
}

TEST(OccupancyTest, SuggestsTheLargestBlockOfTheFullestMultiprocessor) {
  int grid = 0;
  int block = 0;
  ASSERT_EQ(cudaOccupancyMaxPotentialBlockSize(&grid, &block, Empty), cudaSuccess);
  EXPECT_EQ(block, 1024);
  EXPECT_EQ(grid, 2 * 132);
  ASSERT_EQ(cudaOccupancyMaxPotentialBlockSize(&grid, &block, Empty, 0, 300), cudaSuccess);
  EXPECT_EQ(block, 256);
  const auto bytes = [](int threads) { return 100 * threads; };
  ASSERT_EQ(cudaOccupancyMaxPotentialBlockSizeVariableSMem(&grid, &block, Empty, bytes),
            cudaSuccess);
  EXPECT_GT(grid, 0);
  EXPECT_LE(block * 100, 48 << 10);
}

TEST(OccupancyTest, RefusesBlocksWithoutThreads) {
  int blocks = 0;
  EXPECT_EQ(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, Empty, 0, 0),
            cudaErrorInvalidValue);
  EXPECT_EQ(cudaGetLastError(), cudaErrorInvalidValue);
}

}  // namespace
