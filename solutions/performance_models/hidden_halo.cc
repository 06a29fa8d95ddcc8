// The hidden test of CountHalo and LargestTile.

#include <gtest/gtest.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "common/lab/call/callers.h"
#include "common/lab/testing/function.h"
#include "common/lab/testing/inputs.h"
#include "labs/performance_models/answers.h"
#include "labs/performance_models/performance_models.h"

namespace performance_models::halo {

using Extents = std::vector<std::int64_t>;

const lab::Function<decltype(CountHalo)> count_halo{"CountHalo"};
const lab::Function<decltype(LargestTile)> largest_tile{"LargestTile"};

constexpr std::int64_t kLargest = std::int64_t{1} << 62;

std::string Text(const Extents& extents, std::int64_t radius, Stencil stencil) {
  std::string text = "tile";
  for (const std::int64_t extent : extents) text += ' ' + std::to_string(extent);
  return text + ", radius " + std::to_string(radius) +
         (stencil == Stencil::kStar ? ", star" : ", box");
}

// Looks at every cell around the tile.
HaloCells Expected(const Extents& extents, std::int64_t radius, Stencil stencil) {
  std::array<std::int64_t, 3> size{1, 1, 1};
  std::array<std::int64_t, 3> around{0, 0, 0};
  for (std::size_t i = 0; i < extents.size(); ++i) {
    size[i] = extents[i];
    around[i] = radius;
  }
  HaloCells cells{};
  for (std::int64_t z = -around[2]; z < size[2] + around[2]; ++z) {
    for (std::int64_t y = -around[1]; y < size[1] + around[1]; ++y) {
      for (std::int64_t x = -around[0]; x < size[0] + around[0]; ++x) {
        const int outside =
            (x < 0 || x >= size[0]) + (y < 0 || y >= size[1]) + (z < 0 || z >= size[2]);
        if (outside == 0) ++cells.tile;
        if (outside == 1 || (outside > 1 && stencil == Stencil::kBox)) ++cells.halo;
      }
    }
  }
  return cells;
}

// Fatal, so that a loop over many tiles stops at the first that fails.
void ExpectHalo(const Extents& extents, std::int64_t radius, Stencil stencil) {
  ASSERT_EQ(performance_models::Text(count_halo(extents, radius, stencil)),
            performance_models::Text(std::optional(Expected(extents, radius, stencil))))
      << Text(extents, radius, stencil);
}

TEST(CountHaloTest, TakesTilesOfEveryShape) {
  lab::Random random;
  for (const Stencil stencil : {Stencil::kStar, Stencil::kBox}) {
    for (std::size_t dimensions = 1; dimensions <= 3; ++dimensions) {
      for (int round = 0; round < 30; ++round) {
        Extents extents(dimensions);
        for (std::int64_t& extent : extents) extent = random.UniformInt(1, 9);
        ASSERT_NO_FATAL_FAILURE(ExpectHalo(extents, random.UniformInt(0, 4), stencil));
      }
    }
  }
}

TEST(CountHaloTest, TakesASingleCellAndNoRadius) {
  for (const Stencil stencil : {Stencil::kStar, Stencil::kBox}) {
    for (const Extents& extents : {Extents{1}, Extents{1, 1}, Extents{1, 1, 1}, Extents{4, 3, 2}}) {
      for (const std::int64_t radius : {0, 1, 3}) {
        ASSERT_NO_FATAL_FAILURE(ExpectHalo(extents, radius, stencil));
      }
    }
  }
}

TEST(CountHaloTest, CountsCellsThatNeed64Bits) {
  const Extents extents{1 << 20, 1 << 20, 1 << 20};
  const std::int64_t face = std::int64_t{1} << 40;
  EXPECT_EQ(performance_models::Text(count_halo(extents, 2, Stencil::kStar)),
            performance_models::Text(HaloCells{face << 20, 12 * face}));
  const std::int64_t edge = (1 << 20) + 2;
  EXPECT_EQ(performance_models::Text(count_halo(extents, 1, Stencil::kBox)),
            performance_models::Text(HaloCells{face << 20, edge * edge * edge - (face << 20)}));
}

TEST(CountHaloTest, HasNoValueForAnotherNumberOfDimensions) {
  for (const Extents& extents : {Extents{}, Extents{2, 2, 2, 2}, Extents{1, 1, 1, 1, 1}}) {
    EXPECT_EQ(performance_models::Text(count_halo(extents, 1, Stencil::kBox)), "no value")
        << Text(extents, 1, Stencil::kBox);
  }
}

TEST(CountHaloTest, HasNoValueForAnExtentBelowOneOrANegativeRadius) {
  for (const Stencil stencil : {Stencil::kStar, Stencil::kBox}) {
    for (const Extents& extents : {Extents{0}, Extents{-1}, Extents{4, 0}, Extents{0, 4, 4},
                                   Extents{4, 4, -4}, Extents{-2, -2}}) {
      EXPECT_EQ(performance_models::Text(count_halo(extents, 1, stencil)), "no value")
          << Text(extents, 1, stencil);
    }
    EXPECT_EQ(performance_models::Text(count_halo(Extents{8, 8}, -1, stencil)), "no value")
        << Text({8, 8}, -1, stencil);
  }
}

TEST(CountHaloTest, ServesSeveralCallersAtOnce) {
  lab::ForSeveralCallers([](const std::string&) { ExpectHalo({5, 4}, 2, Stencil::kBox); });
}

struct Question {
  std::int64_t shared_bytes;
  std::int32_t element_bytes;
  std::int32_t dimensions;
  std::int64_t radius;
};

std::string Text(const Question& asked) {
  return std::to_string(asked.shared_bytes) + " bytes, " + std::to_string(asked.element_bytes) +
         " a cell, " + std::to_string(asked.dimensions) + " dimensions, radius " +
         std::to_string(asked.radius);
}

std::optional<std::int64_t> Ask(const Question& asked) {
  return largest_tile(asked.shared_bytes, asked.element_bytes, asked.dimensions, asked.radius);
}

// Whether a tile with that edge, at least 1, and its halo fit.
bool Fits(const Question& asked, std::int64_t edge) {
  __int128 bytes = asked.element_bytes;
  for (int i = 0; i < asked.dimensions; ++i) {
    bytes *= edge + 2 * asked.radius;
    if (bytes > asked.shared_bytes) return false;
  }
  return true;
}

// An edge is right if it fits and the next does not; 0 needs no room.
void ExpectLargest(const Question& asked) {
  const std::optional<std::int64_t> got = Ask(asked);
  ASSERT_TRUE(got && *got >= 0) << Text(asked) << ": got " << performance_models::Text(got);
  ASSERT_TRUE(*got == 0 || Fits(asked, *got)) << Text(asked) << ": " << *got << " does not fit";
  ASSERT_TRUE(!Fits(asked, *got + 1))
      << Text(asked) << ": got " << *got << ", but " << *got + 1 << " fits";
}

TEST(LargestTileTest, TakesEveryRoomAroundAPower) {
  for (std::int32_t dimensions = 1; dimensions <= 3; ++dimensions) {
    for (const std::int64_t radius : {0, 1, 3}) {
      for (const std::int64_t edge : {1, 2, 5, 10, 100, 1000}) {
        std::int64_t bytes = 4;
        for (int i = 0; i < dimensions; ++i) bytes *= edge + 2 * radius;
        for (const std::int64_t more : {-4, -1, 0, 1, 3, 4}) {
          ASSERT_NO_FATAL_FAILURE(ExpectLargest({bytes + more, 4, dimensions, radius}));
        }
      }
    }
  }
}

TEST(LargestTileTest, TakesRoomOfEverySize) {
  lab::Random random;
  for (int i = 0; i < 200; ++i) {
    ASSERT_NO_FATAL_FAILURE(ExpectLargest({random.UniformInt<std::int64_t>(0, kLargest >> (i % 62)),
                                           random.UniformInt(1, 32), random.UniformInt(1, 3),
                                           random.UniformInt(0, 8)}));
  }
}

TEST(LargestTileTest, TakesTheMostRoom) {
  for (std::int32_t dimensions = 1; dimensions <= 3; ++dimensions) {
    for (const std::int64_t bytes : {kLargest, kLargest - 1}) {
      ASSERT_NO_FATAL_FAILURE(ExpectLargest({bytes, 1, dimensions, 0}));
      ASSERT_NO_FATAL_FAILURE(ExpectLargest({bytes, 4, dimensions, 1 << 20}));
      ASSERT_NO_FATAL_FAILURE(
          ExpectLargest({bytes, std::numeric_limits<std::int32_t>::max(), dimensions, 1}));
    }
  }
}

TEST(LargestTileTest, IsZeroWhereNotEvenOneCellFits) {
  for (const Question& asked : std::vector<Question>{{0, 4, 1, 0},
                                                     {3, 4, 3, 0},
                                                     {107, 4, 3, 1},
                                                     {96, 4, 2, 2},
                                                     {0, 1, 3, 9},
                                                     {8, 4, 1, 1},
                                                     {49152, 4, 3, 1 << 20}}) {
    EXPECT_EQ(performance_models::Text(Ask(asked)), "0") << Text(asked);
  }
}

TEST(LargestTileTest, HasNoValueForAQuestionWithoutAMeaning) {
  for (const Question& asked : std::vector<Question>{{-1, 4, 2, 1},
                                                     {1024, 0, 2, 1},
                                                     {1024, -4, 2, 1},
                                                     {1024, 4, 0, 1},
                                                     {1024, 4, 4, 1},
                                                     {1024, 4, -1, 1},
                                                     {1024, 4, 2, -1},
                                                     {0, 0, 1, 0},
                                                     {1024, 4, 2, (1 << 20) + 1},
                                                     {1024, 4, 0, 0}}) {
    EXPECT_EQ(performance_models::Text(Ask(asked)), "no value") << Text(asked);
  }
}

TEST(LargestTileTest, ServesSeveralCallersAtOnce) {
  lab::ForSeveralCallers([](const std::string&) { ExpectLargest({49152, 4, 2, 1}); });
}

}  // namespace performance_models::halo
