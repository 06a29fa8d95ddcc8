#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "common/lab/testing/function.h"
#include "common/lab/testing/inputs.h"
#include "labs/mpi_collectives/collectives.h"

namespace {

using Parts = std::vector<std::vector<double>>;

const lab::Function<decltype(Broadcast)> broadcast{"Broadcast"};
const lab::Function<decltype(Scatter)> scatter{"Scatter"};
const lab::Function<decltype(Gather)> gather{"Gather"};
const lab::Function<decltype(RingAllReduce)> ring_all_reduce{"RingAllReduce"};
const lab::Function<decltype(DoublingAllReduce)> doubling_all_reduce{"DoublingAllReduce"};
const lab::Function<decltype(AllToAll)> all_to_all{"AllToAll"};

constexpr std::size_t kMaxRanks = 8;

// Whole numbers, whose sums are exact.
std::vector<double> Draw(lab::Random& random, std::size_t n) {
  std::vector<double> values(n);
  for (double& value : values) {
    value = static_cast<double>(random.UniformInt(-1'000'000'000, 1'000'000'000));
  }
  return values;
}

Parts DrawParts(lab::Random& random, std::size_t p, std::size_t n) {
  Parts parts;
  for (std::size_t rank = 0; rank < p; ++rank) parts.push_back(Draw(random, n));
  return parts;
}

Parts OnlyIn(std::size_t root, std::size_t p, const std::vector<double>& values) {
  Parts parts(p);
  parts[root] = values;
  return parts;
}

std::vector<double> Joined(const Parts& parts) {
  std::vector<double> all;
  for (const std::vector<double>& part : parts) all.insert(all.end(), part.begin(), part.end());
  return all;
}

Parts Split(const std::vector<double>& all, std::size_t p) {
  Parts parts;
  const std::size_t n = all.size() / p;
  for (std::size_t rank = 0; rank < p; ++rank) {
    parts.emplace_back(all.begin() + static_cast<std::ptrdiff_t>(rank * n),
                       all.begin() + static_cast<std::ptrdiff_t>((rank + 1) * n));
  }
  return parts;
}

Parts Sums(const Parts& parts) {
  std::vector<double> sums(parts[0].size());
  for (const std::vector<double>& part : parts) {
    for (std::size_t i = 0; i < sums.size(); ++i) sums[i] += part[i];
  }
  return Parts(parts.size(), sums);
}

std::string Case(std::size_t p, std::size_t n) {
  return std::to_string(p) + " ranks, n = " + std::to_string(n);
}

void ForRanksAndSizes(const std::function<void(std::size_t p, std::size_t n)>& check) {
  for (std::size_t p = 1; p <= kMaxRanks; ++p) {
    for (const std::size_t n : {0, 1, 7, 33}) check(p, n);
  }
}

void CheckBroadcast(std::size_t p, std::size_t n, std::size_t root, lab::Random& random) {
  Parts values = DrawParts(random, p, n);
  const Parts expected(p, values[root]);
  broadcast(values, static_cast<int>(root));
  EXPECT_EQ(values, expected) << Case(p, n) << ", root " << root;
}

void CheckScatter(std::size_t p, std::size_t n, std::size_t root, lab::Random& random) {
  const std::vector<double> all = Draw(random, p * n);
  Parts mine(p, std::vector<double>(n, -1));
  scatter(OnlyIn(root, p, all), mine, static_cast<int>(root));
  EXPECT_EQ(mine, Split(all, p)) << Case(p, n) << ", root " << root;
}

void CheckGather(std::size_t p, std::size_t n, std::size_t root, lab::Random& random) {
  const Parts mine = DrawParts(random, p, n);
  Parts all = OnlyIn(root, p, std::vector<double>(p * n, -1));
  gather(mine, all, static_cast<int>(root));
  EXPECT_EQ(all[root], Joined(mine)) << Case(p, n) << ", root " << root;
}

template <typename Function>
void CheckAllReduce(const Function& all_reduce, std::size_t p, std::size_t n, lab::Random& random) {
  Parts values = DrawParts(random, p, n);
  const Parts expected = Sums(values);
  all_reduce(values);
  EXPECT_EQ(values, expected) << Case(p, n);
}

void CheckAllToAll(std::size_t p, std::size_t n, lab::Random& random) {
  const Parts sent = DrawParts(random, p, p * n);
  Parts expected(p);
  for (const std::vector<double>& from : sent) {
    const Parts blocks = Split(from, p);
    for (std::size_t to = 0; to < p; ++to) {
      expected[to].insert(expected[to].end(), blocks[to].begin(), blocks[to].end());
    }
  }
  Parts received(p, std::vector<double>(p * n, -1));
  all_to_all(sent, received);
  EXPECT_EQ(received, expected) << Case(p, n);
}

void ForRoots(const std::function<void(std::size_t p, std::size_t n, std::size_t root)>& check) {
  ForRanksAndSizes([&](std::size_t p, std::size_t n) {
    for (const std::size_t root : {p / 2, p - 1}) check(p, n, root);
  });
}

TEST(BroadcastTest, ReachesEveryRankFromEveryRoot) {
  lab::Random random;
  ForRoots(
      [&](std::size_t p, std::size_t n, std::size_t root) { CheckBroadcast(p, n, root, random); });
}

TEST(BroadcastTest, SendsALargeArray) {
  lab::Random random;
  CheckBroadcast(6, 100'000, 4, random);
}

TEST(ScatterTest, GivesEveryRankItsPartFromEveryRoot) {
  lab::Random random;
  ForRoots(
      [&](std::size_t p, std::size_t n, std::size_t root) { CheckScatter(p, n, root, random); });
}

TEST(ScatterTest, SendsALargeArray) {
  lab::Random random;
  CheckScatter(7, 20'000, 3, random);
}

TEST(GatherTest, CollectsEveryPartInEveryRoot) {
  lab::Random random;
  ForRoots(
      [&](std::size_t p, std::size_t n, std::size_t root) { CheckGather(p, n, root, random); });
}

TEST(GatherTest, CollectsALargeArray) {
  lab::Random random;
  CheckGather(7, 20'000, 6, random);
}

TEST(RingAllReduceTest, AddsUpForAnyRanksAndSizes) {
  lab::Random random;
  ForRanksAndSizes(
      [&](std::size_t p, std::size_t n) { CheckAllReduce(ring_all_reduce, p, n, random); });
}

TEST(RingAllReduceTest, AddsUpALargeArray) {
  lab::Random random;
  CheckAllReduce(ring_all_reduce, 7, 100'001, random);
}

TEST(DoublingAllReduceTest, AddsUpForAnyRanksAndSizes) {
  lab::Random random;
  ForRanksAndSizes(
      [&](std::size_t p, std::size_t n) { CheckAllReduce(doubling_all_reduce, p, n, random); });
}

TEST(DoublingAllReduceTest, AddsUpALargeArray) {
  lab::Random random;
  CheckAllReduce(doubling_all_reduce, 7, 100'001, random);
}

TEST(AllToAllTest, TransposesForAnyRanksAndSizes) {
  lab::Random random;
  ForRanksAndSizes([&](std::size_t p, std::size_t n) { CheckAllToAll(p, n, random); });
}

TEST(AllToAllTest, ExchangesLargeParts) {
  lab::Random random;
  CheckAllToAll(6, 20'000, random);
}

// What is counted.

constexpr std::size_t kCounted = 840;

TEST(BroadcastCounted, ReachesEightRanks) {
  lab::Random random;
  CheckBroadcast(8, kCounted, 3, random);
}

TEST(ScatterCounted, GivesEightRanksTheirParts) {
  lab::Random random;
  CheckScatter(8, kCounted, 3, random);
}

TEST(GatherCounted, CollectsEightParts) {
  lab::Random random;
  CheckGather(8, kCounted, 3, random);
}

TEST(RingAllReduceCounted, AddsUpInEightRanks) {
  lab::Random random;
  CheckAllReduce(ring_all_reduce, 8, kCounted, random);
}

TEST(DoublingAllReduceCounted, AddsUpInEightRanks) {
  lab::Random random;
  CheckAllReduce(doubling_all_reduce, 8, kCounted, random);
}

TEST(AllToAllCounted, ExchangesEightParts) {
  lab::Random random;
  CheckAllToAll(8, kCounted, random);
}

}  // namespace
