// The hidden test of AmdahlSpeedup and GustafsonSpeedup.

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

#include "common/lab/call/callers.h"
#include "common/lab/testing/function.h"
#include "common/lab/testing/inputs.h"
#include "labs/performance_models/performance_models.h"

namespace performance_models {
namespace {

using Speedup = std::optional<double>;

const lab::Function<decltype(AmdahlSpeedup)> amdahl_speedup{"AmdahlSpeedup"};
const lab::Function<decltype(GustafsonSpeedup)> gustafson_speedup{"GustafsonSpeedup"};

constexpr std::int64_t kMostProcessors = 1 << 20;

struct Question {
  double serial_fraction;
  std::int64_t processors;
};

void ExpectSpeedup(const Speedup& got, long double want, const Question& asked) {
  const auto wanted = static_cast<double>(want);
  EXPECT_TRUE(got && std::abs(*got - wanted) <= 1e-9 * wanted)
      << "serial fraction " << asked.serial_fraction << ", " << asked.processors
      << " processors: expected " << wanted << ", got "
      << (got ? testing::PrintToString(*got) : "no value");
}

// Fractions of every size, and numbers of processors of every size.
std::vector<Question> ManyQuestions() {
  lab::Random random;
  std::vector<Question> questions;
  for (const double fraction : {0.0, -0.0, 0x1p-30, 0.01, 0.25, 0.5, 0.9, 1 - 0x1p-30, 1.0}) {
    for (const std::int64_t processors : {1, 2, 3, 10, 1000, 1 << 20}) {
      questions.push_back({fraction, processors});
    }
  }
  for (int i = 0; i < 200; ++i) {
    const double fraction = random.UniformDouble(0, 1);
    questions.push_back({i % 2 == 0 ? fraction : std::pow(fraction, 10),
                         random.UniformInt<std::int64_t>(1, kMostProcessors >> (i % 21))});
  }
  return questions;
}

// Without a meaning: the fraction, the number of processors, or both.
std::vector<Question> InvalidQuestions() {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  constexpr double kSmallest = std::numeric_limits<double>::denorm_min();
  constexpr std::int64_t kLowest = std::numeric_limits<std::int64_t>::min();
  return {{-kSmallest, 4}, {-0.5, 4},         {std::nextafter(1.0, 2.0), 4},
          {1.5, 4},        {25, 4},           {kInfinity, 4},
          {-kInfinity, 4}, {std::nan(""), 4}, {0.5, 0},
          {0.5, -1},       {0.5, -1LL << 32}, {0, 0},
          {1, 0},          {0.5, kLowest},    {std::nan(""), 0},
          {0, -1},         {std::nan(""), 1}};
}

template <typename Law>
void ExpectNoValues(const Law& law) {
  for (const Question& asked : InvalidQuestions()) {
    const Speedup got = law(asked.serial_fraction, asked.processors);
    EXPECT_FALSE(got.has_value()) << "serial fraction " << asked.serial_fraction << ", "
                                  << asked.processors << " processors: got " << *got;
  }
}

template <typename Law>
void ExpectOneForOneProcessorOrSerialCode(const Law& law) {
  for (const double fraction : {0.0, 0.1, 0.5, 1.0}) {
    ExpectSpeedup(law(fraction, 1), 1, {fraction, 1});
  }
  for (const std::int64_t processors : {2, 64, 1 << 20}) {
    ExpectSpeedup(law(1, processors), 1, {1, processors});
  }
}

TEST(AmdahlSpeedupTest, IsOneOnOneProcessorAndForSerialCode) {
  ExpectOneForOneProcessorOrSerialCode(amdahl_speedup);
}

TEST(AmdahlSpeedupTest, IsTheNumberOfProcessorsWithoutASerialPart) {
  for (const std::int64_t p : {2, 7, 1000, 1 << 20}) ExpectSpeedup(amdahl_speedup(0, p), p, {0, p});
}

TEST(AmdahlSpeedupTest, StaysBelowTheReciprocalOfTheSerialPart) {
  // 0.05 / (1 / 1024) hides every error in the parallel part's share.
  ExpectSpeedup(amdahl_speedup(0.05, 1024), 1024 / (0.05L * 1023 + 1), {0.05, 1024});
  ExpectSpeedup(amdahl_speedup(0.75, 4), 16 / 13.0L, {0.75, 4});
}

TEST(AmdahlSpeedupTest, TakesFractionsAndProcessorsOfEverySize) {
  for (const Question& asked : ManyQuestions()) {
    const long double serial = asked.serial_fraction;
    ExpectSpeedup(amdahl_speedup(asked.serial_fraction, asked.processors),
                  1 / (serial + (1 - serial) / asked.processors), asked);
  }
}

TEST(AmdahlSpeedupTest, HasNoValueForAnImpossibleFractionOrNumberOfProcessors) {
  ExpectNoValues(amdahl_speedup);
}

TEST(AmdahlSpeedupTest, ServesSeveralCallersAtOnce) {
  lab::Random random;
  lab::ForSeveralCallers([&](const auto&) {
    const auto p = random.UniformInt<std::int64_t>(2, 1000);
    ExpectSpeedup(amdahl_speedup(0.5, p), 1 / (0.5L + 0.5L / p), {0.5, p});
  });
}

TEST(GustafsonSpeedupTest, IsOneOnOneProcessorAndForSerialCode) {
  ExpectOneForOneProcessorOrSerialCode(gustafson_speedup);
}

TEST(GustafsonSpeedupTest, IsTheNumberOfProcessorsWithoutASerialPart) {
  for (const std::int64_t p : {2, 7, 1000, 1 << 20}) {
    ExpectSpeedup(gustafson_speedup(0, p), p, {0, p});
  }
}

TEST(GustafsonSpeedupTest, TakesFractionsAndProcessorsOfEverySize) {
  for (const Question& asked : ManyQuestions()) {
    const long double serial = asked.serial_fraction;
    ExpectSpeedup(gustafson_speedup(asked.serial_fraction, asked.processors),
                  serial + (1 - serial) * asked.processors, asked);
  }
}

TEST(GustafsonSpeedupTest, HasNoValueForAnImpossibleFractionOrNumberOfProcessors) {
  ExpectNoValues(gustafson_speedup);
}

TEST(GustafsonSpeedupTest, ServesSeveralCallersAtOnce) {
  lab::Random random;
  lab::ForSeveralCallers([&](const auto&) {
    const auto p = random.UniformInt<std::int64_t>(2, 1000);
    ExpectSpeedup(gustafson_speedup(0.5, p), 0.5L + 0.5L * p, {0.5, p});
  });
}

}  // namespace
}  // namespace performance_models
