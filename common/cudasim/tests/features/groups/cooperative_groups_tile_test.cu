// Cooperative groups inside a warp: tiles, coalesced threads and their partitions.
#include <cooperative_groups.h>

#include "common/cudasim/tests/features/test.h"

namespace cg = cooperative_groups;

namespace {

struct Ranks {
  unsigned thread, size, meta, metas;
};

template <unsigned Size>
__global__ void TileRanks(Ranks* out) {
  const auto tile = cg::tiled_partition<Size>(cg::this_thread_block());
  out[threadIdx.x] = {tile.thread_rank(), tile.size(), tile.meta_group_rank(),
                      tile.meta_group_size()};
}

template <unsigned Size>
void ExpectTiles(int threads) {
  const auto got = StoredBy(TileRanks<Size>, threads, threads);
  for (unsigned i = 0; i < got.size(); ++i) {
    EXPECT_EQ(got[i].thread, i % Size);
    EXPECT_EQ(got[i].size, Size);
    EXPECT_EQ(got[i].meta, i / Size);
    EXPECT_EQ(got[i].metas, (threads + Size - 1) / Size);
  }
}

TEST(TileTest, CountsThreadsAndTiles) {
  ExpectTiles<1>(32);
  ExpectTiles<2>(64);
  ExpectTiles<4>(33);
  ExpectTiles<16>(48);
  ExpectTiles<32>(1024);
}

struct Big {
  double values[5];
  int tag;
};

__global__ void ShuffleBig(Big* out) {
  const auto tile = cg::tiled_partition<8>(cg::this_thread_block());
  Big mine = {};
  mine.tag = static_cast<int>(threadIdx.x);
  mine.values[4] = threadIdx.x * 0.5;
  out[threadIdx.x] = tile.shfl(mine, 3);
}

TEST(TileTest, ShufflesStructsOfAnySize) {
  const auto got = StoredBy(ShuffleBig, 64, 64);
  for (int i = 0; i < 64; ++i) {
    EXPECT_EQ(got[i].tag, i / 8 * 8 + 3);
    EXPECT_EQ(got[i].values[4], (i / 8 * 8 + 3) * 0.5);
  }
}

__global__ void TileVotes(unsigned* out) {
  const auto tile = cg::tiled_partition<8>(cg::this_thread_block());
  const unsigned rank = tile.thread_rank();
  const unsigned ballot = tile.ballot(rank % 2 == 1);
  const unsigned any = static_cast<unsigned>(tile.any(rank == 5 && threadIdx.x >= 8));
  const unsigned all = static_cast<unsigned>(tile.all(threadIdx.x < 8));
  const unsigned match = tile.match_any(static_cast<int>(rank / 4));
  out[threadIdx.x] = ballot | any << 8 | all << 9 | match << 16;
}

TEST(TileTest, VotesAndMatchesByRank) {
  const auto got = StoredBy(TileVotes, 32, 32);
  for (unsigned i = 0; i < 32; ++i) {
    const unsigned match = i % 8 < 4 ? 0x0fu : 0xf0u;
    EXPECT_EQ(got[i], 0xaau | (i >= 8 ? 1u : 0u) << 8 | (i < 8 ? 1u : 0u) << 9 | match << 16);
  }
}

__global__ void TilesOfTiles(unsigned* out) {
  const auto warp = cg::tiled_partition<32>(cg::this_thread_block());
  const auto half = cg::tiled_partition<16>(warp);
  const cg::thread_block_tile<4> quad = cg::tiled_partition<4>(half);
  __shared__ unsigned box[64];
  box[threadIdx.x] = threadIdx.x;
  quad.sync();
  const unsigned sum = box[threadIdx.x ^ 1] + box[threadIdx.x ^ 2];
  cg::sync(half);
  out[threadIdx.x] = sum * 100 + quad.meta_group_rank() * 10 + quad.thread_rank();
}

TEST(TileTest, TilesHaveTilesAndOrderMemory) {
  const auto got = StoredBy(TilesOfTiles, 64, 64);
  for (unsigned i = 0; i < 64; ++i) {
    EXPECT_EQ(got[i], ((i ^ 1) + (i ^ 2)) * 100 + i % 16 / 4 * 10 + i % 4);
  }
}

__global__ void Coalesced(int* counter, int* out) {
  if (threadIdx.x % 3 != 0) return;
  const cg::coalesced_group active = cg::coalesced_threads();
  int base = 0;
  if (active.thread_rank() == 0) base = atomicAdd(counter, static_cast<int>(active.size()));
  base = active.shfl(base, 0);
  out[base + static_cast<int>(active.thread_rank())] = static_cast<int>(threadIdx.x);
}

TEST(CoalescedTest, AggregatesAtomics) {
  DeviceVector<int> counter(1);
  DeviceVector<int> out(43);
  Coalesced<<<1, 128>>>(counter.get(), out.get());
  EXPECT_EQ(counter.ToHost()[0], 43);
  long sum = 0;
  for (const int value : out.ToHost()) sum += value;
  EXPECT_EQ(sum, 3L * 42 * 43 / 2);
}

__global__ void CoalescedShuffles(int* out) {
  if (threadIdx.x % 2 == 0) return;
  const auto odd = cg::coalesced_threads();
  const int rank = static_cast<int>(odd.thread_rank());
  const int up = odd.shfl_up(rank, 1);
  const int down = odd.shfl_down(rank, 2);
  out[rank] = up * 100 + down;
}

TEST(CoalescedTest, ShufflesByRank) {
  const auto got = StoredBy(CoalescedShuffles, 16, 32);
  for (int i = 0; i < 16; ++i) {
    EXPECT_EQ(got[i], (i > 0 ? i - 1 : 0) * 100 + (i < 14 ? i + 2 : i));
  }
}

__global__ void Parts(Ranks* labeled, Ranks* binary, Ranks* dynamic) {
  const auto warp = cg::tiled_partition<32>(cg::this_thread_block());
  const unsigned i = threadIdx.x;
  const auto ranks = [](const cg::coalesced_group& g) {
    return Ranks{g.thread_rank(), g.size(), g.meta_group_rank(), g.meta_group_size()};
  };
  labeled[i] = ranks(cg::labeled_partition(warp, static_cast<int>(i % 3)));
  binary[i] = ranks(cg::binary_partition(warp, i >= 20));
  dynamic[i] = ranks(cg::tiled_partition(cg::coalesced_group(warp), 8));
}

TEST(PartitionTest, SplitsByLabelPredicateAndSize) {
  DeviceVector<Ranks> labeled(32);
  DeviceVector<Ranks> binary(32);
  DeviceVector<Ranks> dynamic(32);
  Parts<<<1, 32>>>(labeled.get(), binary.get(), dynamic.get());
  const auto l = labeled.ToHost();
  const auto b = binary.ToHost();
  const auto d = dynamic.ToHost();
  for (unsigned i = 0; i < 32; ++i) {
    EXPECT_EQ(l[i].thread, i / 3);
    EXPECT_EQ(l[i].size, i % 3 == 2 ? 10u : 11u);
    EXPECT_EQ(l[i].meta, i % 3);
    EXPECT_EQ(l[i].metas, 3u);
    EXPECT_EQ(b[i].thread, i >= 20 ? i - 20 : i);
    EXPECT_EQ(b[i].size, i >= 20 ? 12u : 20u);
    EXPECT_EQ(d[i].thread, i % 8);
    EXPECT_EQ(d[i].meta, i / 8);
  }
}

__device__ int SumWithAnyGroup(const cg::thread_group& group, int* box, int value) {
  const auto rank = group.thread_rank();
  for (auto half = group.size() / 2; half > 0; half /= 2) {
    box[rank] = value;
    group.sync();
    if (rank < half) value += box[rank + half];
    group.sync();
  }
  return value;
}

__global__ void AnyGroup(int* out) {
  __shared__ int box[128];
  const auto block = cg::this_thread_block();
  const int whole = SumWithAnyGroup(block, box, 1);
  const auto tile = cg::tiled_partition(block, 16);
  const int part = SumWithAnyGroup(tile, box + threadIdx.x / 16 * 16, 2);
  if (block.thread_rank() == 0) out[0] = whole;
  if (tile.thread_rank() == 0) out[1 + threadIdx.x / 16] = part;
}

TEST(GroupTest, AFunctionMayTakeAnyGroup) {
  EXPECT_EQ(StoredBy(AnyGroup, 9, 128), (std::vector<int>{128, 32, 32, 32, 32, 32, 32, 32, 32}));
}

__global__ void BlockIndices(unsigned* out) {
  const auto block = cg::this_thread_block();
  cg::invoke_one(block, [&] {
    out[0] = block.size();
    out[1] = block.dim_threads().y;
    out[2] = block.group_index().x;
    out[3] = block.thread_index().x;
  });
  const auto warp = cg::tiled_partition<32>(block);
  const unsigned leader = cg::invoke_one_broadcast(warp, [&] { return block.thread_rank(); });
  if (block.thread_rank() == 63) out[4] = leader;
  block.sync();
}

__global__ void PartsOfAnyGroup(unsigned long long* ranks, unsigned long long* sizes) {
  const cg::thread_group block = cg::this_thread_block();
  const cg::thread_group tile = cg::tiled_partition(block, 32);
  const cg::thread_group part = cg::tiled_partition(tile, 16);
  ranks[threadIdx.x] = part.thread_rank();
  sizes[threadIdx.x] = part.size();
}

TEST(GroupTest, AnyGroupHasParts) {
  DeviceVector<unsigned long long> ranks(56), sizes(56);
  PartsOfAnyGroup<<<1, 56>>>(ranks.get(), sizes.get());
  for (unsigned i = 0; i < 56; ++i) {
    EXPECT_EQ(ranks.ToHost()[i], i % 16);
    EXPECT_EQ(sizes.ToHost()[i], i < 48 ? 16u : 8u);
  }
}

TEST(GroupTest, ABlockKnowsItsIndices) {
  DeviceVector<unsigned> out(5);
  BlockIndices<<<1, dim3(16, 4)>>>(out.get());
  EXPECT_EQ(out.ToHost(), (std::vector<unsigned>{64, 4, 0, 0, 32}));
}

}  // namespace
