// The hidden test of CountSectors and CountWavefronts.

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "common/lab/call/callers.h"
#include "common/lab/testing/function.h"
#include "common/lab/testing/inputs.h"
#include "labs/performance_models/answers.h"
#include "labs/performance_models/performance_models.h"
#include "solutions/performance_models/hidden_measured.h"

namespace performance_models::warps {

using Index = std::function<std::uint64_t(std::uint64_t lane)>;

const lab::Function<decltype(CountSectors)> count_sectors{"CountSectors"};
const lab::Function<decltype(CountWavefronts)> count_wavefronts{"CountWavefronts"};

constexpr std::uint32_t kAll = 0xFFFFFFFF;
constexpr std::array<std::uint32_t, 5> kSizes{1, 2, 4, 8, 16};
constexpr std::array<std::uint32_t, 8> kMasks{kAll,       0x55555555, 0x0000FFFF, 0xFFFF0000,
                                              0x00FF00FF, 0x80000001, 0x00000100, 0};

WarpAccess Access(std::uint32_t bytes, std::uint32_t active, const Index& index) {
  WarpAccess access{{}, active, bytes};
  for (std::size_t lane = 0; lane < access.address.size(); ++lane) {
    access.address[lane] = index(lane) * bytes;
  }
  return access;
}

bool IsActive(const WarpAccess& access, std::size_t lane) {
  return (access.active & std::uint32_t{1} << lane) != 0;
}

// The units of `size` bytes that lanes [begin, end) access, each once, in ascending order.
std::vector<std::uint64_t> Touched(const WarpAccess& access, std::uint64_t size, std::size_t begin,
                                   std::size_t end) {
  std::vector<std::uint64_t> units;
  for (std::size_t lane = begin; lane < end; ++lane) {
    for (std::uint64_t byte = 0; IsActive(access, lane) && byte < access.bytes; ++byte) {
      units.push_back((access.address[lane] + byte) / size);
    }
  }
  std::sort(units.begin(), units.end());
  units.erase(std::unique(units.begin(), units.end()), units.end());
  return units;
}

std::int32_t ExpectedSectors(const WarpAccess& access) {
  return static_cast<std::int32_t>(Touched(access, 32, 0, kWarpLanes).size());
}

BankCost ExpectedCost(const WarpAccess& access) {
  const std::size_t lanes = access.bytes == 16 ? 8 : access.bytes == 8 ? 16 : 32;
  BankCost cost{};
  for (std::size_t begin = 0; begin < kWarpLanes; begin += lanes) {
    std::array<std::int32_t, 32> words{};
    for (const std::uint64_t word : Touched(access, 4, begin, begin + lanes)) ++words[word % 32];
    const std::int32_t most = *std::max_element(words.begin(), words.end());
    cost.wavefronts += most;
    cost.conflicts += most > 0 ? most - 1 : 0;
  }
  return cost;
}

// Calls check with accesses of every size: in a row, strided, equal, at random, with all lanes or
// some of them.
void ForManyAccesses(const std::function<void(const WarpAccess& access)>& check) {
  lab::Random random;
  for (const std::uint32_t bytes : kSizes) {
    for (const std::uint32_t mask : kMasks) {
      check(Access(bytes, mask, [](std::uint64_t lane) { return lane; }));
      check(Access(bytes, mask, [](std::uint64_t) { return 5; }));
    }
    for (const std::uint64_t stride : {2, 3, 4, 8, 16, 17, 31, 32, 33, 1000}) {
      check(Access(bytes, kAll, [=](std::uint64_t lane) { return 7 + lane * stride; }));
    }
    for (int round = 0; round < 40; ++round) {
      const std::uint64_t range = std::uint64_t{1} << random.UniformInt(1, 12);
      check(Access(bytes, static_cast<std::uint32_t>(random.Next()),
                   [&](std::uint64_t) { return random.UniformInt<std::uint64_t>(0, range); }));
    }
  }
}

// Accesses without a meaning: of another size, or not aligned.
std::vector<WarpAccess> InvalidAccesses() {
  std::vector<WarpAccess> accesses;
  const auto in_a_row = [](std::uint64_t lane) { return 48 * lane; };
  for (const std::uint32_t bytes : {0, 3, 5, 6, 7, 12, 24, 32, 64}) {
    accesses.push_back(Access(1, kAll, in_a_row));
    accesses.back().bytes = bytes;
  }
  accesses.push_back(Access(1, 0, in_a_row));  // no lane is active, but the size is wrong
  accesses.back().bytes = 0;
  for (const std::uint32_t bytes : {2, 4, 8, 16}) {
    for (const std::size_t lane : {0, 15, 16, 31}) {
      accesses.push_back(Access(bytes, kAll, in_a_row));
      accesses.back().address[lane] += bytes / 2;
    }
  }
  return accesses;
}

// Only lanes that are not active are not aligned.
WarpAccess WithAnyAddressesOfIdleLanes(lab::Random& random, std::uint32_t bytes) {
  WarpAccess access = Access(bytes, 0x0FF0F00F, [](std::uint64_t lane) { return 3 * lane; });
  for (std::size_t lane = 0; lane < access.address.size(); ++lane) {
    if (!IsActive(access, lane)) access.address[lane] = random.Next() | 1;
  }
  return access;
}

void ExpectSectors(const WarpAccess& access) {
  ASSERT_EQ(Text(count_sectors(access)), Text(std::optional(ExpectedSectors(access))))
      << Text(access);
}

void ExpectCost(const WarpAccess& access) {
  ASSERT_EQ(Text(count_wavefronts(access)), Text(std::optional(ExpectedCost(access))))
      << Text(access);
}

TEST(CountSectorsTest, AgreesWithAnH100) {
  for (const MeasuredGlobalAccess& measured : kGlobalAccesses) {
    ASSERT_EQ(Text(count_sectors(measured.access)), Text(std::optional(measured.sectors)))
        << Text(measured.access);
  }
}

TEST(CountSectorsTest, TakesAccessesOfEverySizeAndPattern) { ForManyAccesses(ExpectSectors); }

TEST(CountSectorsTest, BeginsSectorsAtMultiplesOf32NotAtTheFirstAddress) {
  for (std::uint64_t first = 0; first < 32; ++first) {
    ASSERT_NO_FATAL_FAILURE(
        ExpectSectors(Access(4, kAll, [=](std::uint64_t lane) { return first + lane; })));
  }
}

TEST(CountSectorsTest, TakesAddressesOf64Bits) {
  // Addresses that agree in their lower 32 bits, and the last ones that there are.
  ASSERT_NO_FATAL_FAILURE(
      ExpectSectors(Access(4, kAll, [](std::uint64_t lane) { return lane << 40; })));
  ASSERT_NO_FATAL_FAILURE(ExpectSectors(
      Access(16, kAll, [](std::uint64_t lane) { return (std::uint64_t{1} << 60) - 1 - lane; })));
}

TEST(CountSectorsTest, IgnoresTheAddressesOfIdleLanes) {
  lab::Random random;
  for (const std::uint32_t bytes : kSizes) {
    ASSERT_NO_FATAL_FAILURE(ExpectSectors(WithAnyAddressesOfIdleLanes(random, bytes)));
  }
}

TEST(CountSectorsTest, HasNoValueForAWrongSizeOrAddress) {
  for (const WarpAccess& access : InvalidAccesses()) {
    EXPECT_EQ(Text(count_sectors(access)), "no value") << Text(access);
  }
}

TEST(CountSectorsTest, ServesSeveralCallersAtOnce) {
  lab::ForSeveralCallers([](const std::string&) {
    ExpectSectors(Access(8, kAll, [](std::uint64_t lane) { return 5 * lane; }));
  });
}

TEST(CountWavefrontsTest, AgreesWithAnH100) {
  for (const MeasuredStore& measured : kStores) {
    ASSERT_EQ(Text(count_wavefronts(measured.access)),
              Text(std::optional(BankCost{measured.wavefronts, measured.conflicts})))
        << Text(measured.access);
  }
}

TEST(CountWavefrontsTest, TakesAccessesOfEverySizeAndPattern) { ForManyAccesses(ExpectCost); }

TEST(CountWavefrontsTest, CountsAColumnWithAndWithoutPadding) {
  for (const std::uint32_t bytes : kSizes) {
    for (const std::uint64_t width : {16, 32, 64}) {
      for (const std::uint64_t padding : {0, 1, 2, 4}) {
        ASSERT_NO_FATAL_FAILURE(
            ExpectCost(Access(bytes, kAll, [=](auto lane) { return lane * (width + padding); })));
      }
    }
  }
}

TEST(CountWavefrontsTest, CountsEachWordOfABankOnce) {
  // Every second lane stores to word 0, the others to words 32 and 64 of the same bank.
  const auto index = [](std::uint64_t lane) { return lane % 2 == 0 ? 0 : 32 * (lane % 4 + 1) / 2; };
  for (const std::uint32_t mask : kMasks) {
    ASSERT_NO_FATAL_FAILURE(ExpectCost(Access(4, mask, index)));
  }
}

TEST(CountWavefrontsTest, CountsNoWavefrontForAGroupWithoutLanes) {
  for (const std::uint32_t bytes : {8, 16}) {
    for (std::uint32_t group = 0; group < 4; ++group) {
      ASSERT_NO_FATAL_FAILURE(
          ExpectCost(Access(bytes, 0xFFu << 8 * group, [](auto lane) { return 64 * lane; })));
    }
  }
}

TEST(CountWavefrontsTest, IgnoresTheAddressesOfIdleLanes) {
  lab::Random random;
  for (const std::uint32_t bytes : kSizes) {
    ASSERT_NO_FATAL_FAILURE(ExpectCost(WithAnyAddressesOfIdleLanes(random, bytes)));
  }
}

TEST(CountWavefrontsTest, HasNoValueForAWrongSizeOrAddress) {
  for (const WarpAccess& access : InvalidAccesses()) {
    EXPECT_EQ(Text(count_wavefronts(access)), "no value") << Text(access);
  }
}

TEST(CountWavefrontsTest, ServesSeveralCallersAtOnce) {
  lab::ForSeveralCallers([](const std::string&) {
    ExpectCost(Access(8, kAll, [](std::uint64_t lane) { return 5 * lane; }));
  });
}

}  // namespace performance_models::warps
