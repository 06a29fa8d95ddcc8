// The hidden test of RatePram and HideLatency.

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "common/lab/call/callers.h"
#include "common/lab/call/sizes.h"
#include "common/lab/testing/function.h"
#include "common/lab/testing/inputs.h"
#include "labs/memory_models/answers.h"
#include "labs/memory_models/memory_models.h"

namespace memory_models::pram {

using Accesses = std::vector<PramAccess>;

const lab::Function<decltype(RatePram)> rate_pram{"RatePram"};
const lab::Function<decltype(HideLatency)> hide_latency{"HideLatency"};

PramRating Expected(const Accesses& accesses) {
  struct Cell {
    std::int64_t loads = 0;
    std::vector<std::int64_t> stored;
  };
  std::map<std::int64_t, std::map<std::int64_t, Cell>> steps;
  PramRating rating{};
  for (const PramAccess& each : accesses) {
    Cell& cell = steps[each.step][each.cell];
    if (each.kind == Kind::kLoad) ++cell.loads;
    if (each.kind == Kind::kStore) cell.stored.push_back(each.value);
    rating.steps = std::max(rating.steps, each.step + 1);
  }
  rating.erew_time = rating.steps;
  for (const auto& [step, cells] : steps) {
    std::int64_t loads = 1;
    std::int64_t stores = 1;
    for (const auto& [place, cell] : cells) {
      loads = std::max(loads, cell.loads);
      stores = std::max(stores, static_cast<std::int64_t>(cell.stored.size()));
      if (cell.loads > 1) rating.weakest = std::max(rating.weakest, Pram::kCrew);
      if (cell.stored.size() > 1) {
        const std::set<std::int64_t> values(cell.stored.begin(), cell.stored.end());
        rating.weakest =
            std::max(rating.weakest, values.size() == 1 ? Pram::kCommonCrcw : Pram::kArbitraryCrcw);
      }
    }
    for (std::int64_t reached = 1; reached < loads; reached *= 2) ++rating.erew_time;
    for (std::int64_t reached = 1; reached < stores; reached *= 2) ++rating.erew_time;
  }
  return rating;
}

void ExpectRight(const Accesses& accesses, const std::string& what) {
  ASSERT_EQ(Text(rate_pram(accesses)), Text(std::optional(Expected(accesses))))
      << what << ": " << accesses.size() << " accesses";
}

// Each processor does at most one load and one store in a step.
Accesses AnyAccesses(lab::Random& random, std::int64_t steps, std::int64_t processors,
                     std::int64_t cells) {
  Accesses accesses;
  for (std::int64_t step = 0; step < steps; ++step) {
    for (std::int64_t who = 0; who < processors; ++who) {
      const auto cell = random.UniformInt<std::int64_t>(-1, cells - 2);
      const auto value = random.UniformInt<std::int64_t>(0, 1);
      if (random.UniformInt(0, 2) > 0)
        accesses.push_back({step * 3, who, Kind::kLoad, cell, value});
      if (random.UniformInt(0, 5) == 0) {
        accesses.push_back({step * 3, who, Kind::kStore, cell, value});
      }
    }
  }
  random.Shuffle(accesses);
  return accesses;
}

TEST(RatePramTest, TakesNoAccessesAndOne) {
  EXPECT_EQ(Text(rate_pram(Accesses{})), "EREW, 0 steps, EREW time 0");
  EXPECT_EQ(Text(rate_pram(Accesses{{0, 5, Kind::kLoad, 9, 0}})), "EREW, 1 steps, EREW time 1");
}

TEST(RatePramTest, TakesAnyProgram) {
  lab::Random random;
  for (int round = 0; round < 200; ++round) {
    ASSERT_NO_FATAL_FAILURE(ExpectRight(
        AnyAccesses(random, 1 + round % 4, random.UniformInt<std::int64_t>(1, 9), 1 + round % 30),
        "any program"));
  }
}

TEST(RatePramTest, LetsALoadAndAStoreOfACellMeet) {
  ExpectRight({{0, 0, Kind::kLoad, 3, 0}, {0, 1, Kind::kStore, 3, 7}}, "a load and a store");
}

TEST(RatePramTest, TakesTheSameCellInDifferentSteps) {
  ExpectRight({{0, 0, Kind::kStore, 3, 1}, {1, 1, Kind::kStore, 3, 2}, {2, 0, Kind::kLoad, 3, 0}},
              "one cell, three steps");
}

TEST(RatePramTest, ComparesValuesOfOneCellAlone) {
  ExpectRight({{0, 0, Kind::kStore, 3, 1}, {0, 1, Kind::kStore, 3, 1}, {0, 2, Kind::kStore, 4, 2}},
              "a common value beside another cell");
  // The values of loads mean nothing.
  ExpectRight({{0, 0, Kind::kLoad, 3, 1}, {0, 1, Kind::kLoad, 3, 2}}, "loads");
}

TEST(RatePramTest, TakesStepsFarApart) {
  const std::int64_t last = std::int64_t{1} << 40;
  ExpectRight(
      {{0, 0, Kind::kLoad, 3, 1}, {last, 0, Kind::kLoad, 3, 2}, {last, 1, Kind::kLoad, 3, 2}},
      "the first and the last step");
}

TEST(RatePramTest, TakesManyAccesses) {
  const auto n = static_cast<std::int64_t>(lab::Scaled(1'000'000));
  Accesses accesses;
  for (std::int64_t who = 0; who < n; ++who) accesses.push_back({0, who, Kind::kLoad, 0, 0});
  ExpectRight(accesses, "all load one cell");
  for (std::int64_t i = 0; i < n; ++i) accesses[i] = {i, 0, Kind::kLoad, i % 7, 0};
  ExpectRight(accesses, "one processor, many steps");
}

TEST(RatePramTest, HasNoValueForWhatIsNoProgram) {
  const auto expect_none = [](const Accesses& accesses) {
    EXPECT_EQ(Text(rate_pram(accesses)), "no value");
  };
  expect_none({{-1, 0, Kind::kLoad, 0, 0}});
  expect_none({{(std::int64_t{1} << 40) + 1, 0, Kind::kLoad, 0, 0}});
  expect_none({{0, -1, Kind::kLoad, 0, 0}});
  expect_none({{0, 0, Kind::kFence, 0, 0}});
  expect_none({{0, 4, Kind::kLoad, 0, 0}, {1, 4, Kind::kLoad, 1, 0}, {0, 4, Kind::kLoad, 2, 0}});
  expect_none({{0, 4, Kind::kStore, 0, 0}, {0, 4, Kind::kStore, 0, 0}});
}

TEST(RatePramTest, ServesSeveralCallersAtOnce) {
  lab::Random random;
  lab::ForSeveralCallers([&](const std::string& what) {
    ASSERT_NO_FATAL_FAILURE(ExpectRight(AnyAccesses(random, 5, 40, 9), what));
  });
}

Hiding ExpectedHiding(const MemorySystem& memory, std::int32_t bytes, std::int32_t loads) {
  const __int128 in_flight = static_cast<__int128>(memory.cycles) * memory.bytes_per_cycle;
  const auto needed = [&](__int128 of_each) {
    const __int128 together = static_cast<__int128>(memory.multiprocessors) * 32 * bytes * of_each;
    return static_cast<std::int64_t>((in_flight + together - 1) / together);
  };
  return {static_cast<std::int64_t>(in_flight), needed(loads), needed(memory.max_warps)};
}

void ExpectHiding(const MemorySystem& memory, std::int32_t bytes, std::int32_t loads) {
  ASSERT_EQ(Text(hide_latency(memory, bytes, loads)),
            Text(std::optional(ExpectedHiding(memory, bytes, loads))))
      << memory.cycles << " cycles, " << memory.bytes_per_cycle << " bytes per cycle, "
      << memory.multiprocessors << " multiprocessors, " << memory.max_warps << " warps, " << bytes
      << " bytes per load, " << loads << " loads per warp";
}

TEST(HideLatencyTest, TakesMachinesOfEverySize) {
  lab::Random random;
  for (int round = 0; round < 300; ++round) {
    const MemorySystem memory{random.UniformInt<std::int64_t>(1, 2000),
                              random.UniformInt<std::int64_t>(1, 4000),
                              random.UniformInt<std::int32_t>(1, 1 + round % 150),
                              random.UniformInt<std::int32_t>(1, 64)};
    ASSERT_NO_FATAL_FAILURE(ExpectHiding(memory, 1 << round % 5, 1 + round % 8));
  }
}

TEST(HideLatencyTest, RoundsUpAndNotTwice) {
  ExpectHiding({1, 1, 1, 1}, 1, 1);
  ExpectHiding({32, 1, 1, 1}, 1, 1);
  ExpectHiding({33, 1, 1, 1}, 1, 1);
  ExpectHiding({96, 1, 2, 1}, 1, 2);
}

TEST(HideLatencyTest, TakesTheLargestNumbers) {
  constexpr std::int32_t kMost = std::numeric_limits<std::int32_t>::max();
  ExpectHiding({std::int64_t{1} << 31, std::int64_t{1} << 31, kMost, kMost}, kMost, kMost);
  ExpectHiding({std::int64_t{1} << 62, 1, 1, 1}, 1, 1);
  ExpectHiding({1, std::int64_t{1} << 62, 1, kMost}, 1, kMost);
}

TEST(HideLatencyTest, HasNoValueForNumbersBelowOne) {
  const MemorySystem right{500, 2000, 132, 64};
  for (const std::int32_t wrong : {0, -1}) {
    for (auto field : {&MemorySystem::cycles, &MemorySystem::bytes_per_cycle}) {
      MemorySystem memory = right;
      memory.*field = wrong;
      EXPECT_EQ(Text(hide_latency(memory, 4, 1)), "no value");
    }
    for (auto field : {&MemorySystem::multiprocessors, &MemorySystem::max_warps}) {
      MemorySystem memory = right;
      memory.*field = wrong;
      EXPECT_EQ(Text(hide_latency(memory, 4, 1)), "no value");
    }
    EXPECT_EQ(Text(hide_latency(right, wrong, 1)), "no value");
    EXPECT_EQ(Text(hide_latency(right, 4, wrong)), "no value");
  }
}

TEST(HideLatencyTest, ServesSeveralCallersAtOnce) {
  lab::Random random;
  lab::ForSeveralCallers([&](const std::string&) {
    ASSERT_NO_FATAL_FAILURE(
        ExpectHiding({random.UniformInt<std::int64_t>(1, 999), 1700, 80, 48}, 8, 2));
  });
}

}  // namespace memory_models::pram
