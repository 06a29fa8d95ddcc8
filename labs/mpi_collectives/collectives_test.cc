#include "labs/mpi_collectives/collectives.h"

#include <gtest/gtest.h>

#include <cstddef>
#include <vector>

#include "common/lab/testing/function.h"

namespace {

// Of each rank.
using Parts = std::vector<std::vector<double>>;

const lab::Function<decltype(Broadcast)> broadcast{"Broadcast"};
const lab::Function<decltype(Scatter)> scatter{"Scatter"};
const lab::Function<decltype(Gather)> gather{"Gather"};
const lab::Function<decltype(RingAllReduce)> ring_all_reduce{"RingAllReduce"};
const lab::Function<decltype(DoublingAllReduce)> doubling_all_reduce{"DoublingAllReduce"};
const lab::Function<decltype(AllToAll)> all_to_all{"AllToAll"};

// n numbers in each of p ranks, all different.
Parts Numbered(std::size_t p, std::size_t n) {
  Parts parts(p, std::vector<double>(n));
  for (std::size_t rank = 0; rank < p; ++rank) {
    for (std::size_t i = 0; i < n; ++i) parts[rank][i] = static_cast<double>(1000 * rank + i);
  }
  return parts;
}

Parts Unset(std::size_t p, std::size_t n) { return Parts(p, std::vector<double>(n, -1)); }

// An array that one rank has.
Parts OnlyIn(std::size_t root, std::size_t p, std::size_t n) {
  Parts parts(p);
  parts[root].assign(n, -1);
  return parts;
}

Parts Sums(const Parts& parts) {
  std::vector<double> sums(parts[0].size());
  for (const std::vector<double>& part : parts) {
    for (std::size_t i = 0; i < sums.size(); ++i) sums[i] += part[i];
  }
  return Parts(parts.size(), sums);
}

TEST(BroadcastTest, GivesEveryRankTheRootsValues) {
  for (const int root : {0, 2}) {
    Parts values = Numbered(5, 3);
    const std::vector<double> expected = values[static_cast<std::size_t>(root)];
    broadcast(values, root);
    EXPECT_EQ(values, Parts(5, expected)) << "root " << root;
  }
}

TEST(ScatterTest, GivesRankRItsPart) {
  Parts all = OnlyIn(1, 4, 8);
  for (std::size_t i = 0; i < 8; ++i) all[1][i] = static_cast<double>(i);
  Parts mine = Unset(4, 2);
  scatter(all, mine, 1);
  EXPECT_EQ(mine, (Parts{{0, 1}, {2, 3}, {4, 5}, {6, 7}}));
}

TEST(GatherTest, CollectsAllPartsInOrder) {
  Parts all = OnlyIn(3, 4, 8);
  gather(Numbered(4, 2), all, 3);
  EXPECT_EQ(all[3], (std::vector<double>{0, 1, 1000, 1001, 2000, 2001, 3000, 3001}));
}

TEST(RingAllReduceTest, AddsUpElementsThatTheRanksDoNotDivide) {
  Parts values = Numbered(4, 10);
  const Parts expected = Sums(values);
  ring_all_reduce(values);
  EXPECT_EQ(values, expected);
}

TEST(DoublingAllReduceTest, AddsUpForAnyNumberOfRanks) {
  for (const std::size_t p : {1, 2, 3, 4, 6, 8}) {
    Parts values = Numbered(p, 5);
    const Parts expected = Sums(values);
    doubling_all_reduce(values);
    EXPECT_EQ(values, expected) << p << " ranks";
  }
}

TEST(AllToAllTest, TransposesTheParts) {
  Parts received = Unset(3, 6);
  all_to_all(Numbered(3, 6), received);
  EXPECT_EQ(received, (Parts{{0, 1, 1000, 1001, 2000, 2001},
                             {2, 3, 1002, 1003, 2002, 2003},
                             {4, 5, 1004, 1005, 2004, 2005}}));
}

}  // namespace
