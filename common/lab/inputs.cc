#include "common/lab/inputs.h"

#include <gtest/gtest.h>

#include <atomic>
#include <bit>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <random>
#include <stdexcept>
#include <string>
#include <string_view>

#include "common/lab/run_settings.h"

namespace lab {
namespace {

// The step and the finaliser of SplitMix64.
constexpr std::uint64_t kStep = 0x9e3779b97f4a7c15;

std::uint64_t Mix(std::uint64_t z) {
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
  z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
  return z ^ (z >> 31);
}

std::uint64_t HashText(std::string_view text) {
  std::uint64_t hash = 0xcbf29ce484222325;
  for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3;
  return hash;
}

std::uint64_t ParseSeed(std::string_view text) {
  std::uint64_t seed = 0;
  const char* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, seed);
  if (error != std::errc() || stop != end) {
    throw std::invalid_argument("error: LAB_SEED: '" + std::string(text) +
                                "', limit a whole number below 2^64\n"
                                "  next: copy the seed from the failing run, or unset LAB_SEED");
  }
  return seed;
}

std::uint64_t SeedOfEnvironment() {
  const char* text = std::getenv("LAB_SEED");
  return text != nullptr && *text != '\0' ? ParseSeed(text) : std::random_device{}();
}

// The number of streams that the running test has made so far.
std::uint64_t NextStream(const testing::TestInfo* test) {
  static std::atomic<const testing::TestInfo*> last_test{nullptr};
  static std::atomic<std::uint64_t> streams{0};
  if (last_test.exchange(test) != test) streams = 0;
  return streams++;
}

std::uint64_t StateOfRunningTest() {
  const testing::TestInfo* test = testing::UnitTest::GetInstance()->current_test_info();
  std::string name;
  if (test != nullptr) name = std::string(test->test_suite_name()) + "." + test->name();
  return Mix(Mix(Seed()) ^ HashText(name)) + NextStream(test) * Mix(kStep);
}

// `unit` in [0, 1) with 53 bits, moved to [low, high). std::fma: the same rounding on every
// machine, whether the compiler contracts or not.
double Between(double low, double high, double unit) { return std::fma(high - low, unit, low); }

double Unit(std::uint64_t bits) { return static_cast<double>(bits >> 11) * 0x1p-53; }

template <typename T>
T CheckedBetween(T low, T high, std::uint64_t bits) {
  if (!(low < high) || !std::isfinite(high - low)) {
    throw std::invalid_argument("error: range of random numbers: [" + std::to_string(low) + ", " +
                                std::to_string(high) + "), limit low < high, both finite");
  }
  const T value = static_cast<T>(Between(low, high, Unit(bits)));
  return value < high ? value : std::nextafter(high, low);
}

}  // namespace

std::uint64_t Seed() {
  if (const auto chosen = internal::ChosenSeed()) return *chosen;
  static const std::uint64_t seed = SeedOfEnvironment();
  return seed;
}

Random::Random() : Random(StateOfRunningTest()) {}

std::uint64_t Random::Next() {
  state_ += kStep;
  return Mix(state_);
}

float Random::UniformFloat(float low, float high) { return CheckedBetween(low, high, Next()); }

double Random::UniformDouble(double low, double high) { return CheckedBetween(low, high, Next()); }

std::uint64_t Random::Below(std::uint64_t last) {
  const std::uint64_t mask =
      std::numeric_limits<std::uint64_t>::max() >> std::countl_zero(last | 1);
  std::uint64_t value = Next() & mask;
  while (value > last) value = Next() & mask;
  return value;
}

void Random::ThrowEmptyRange() {
  throw std::invalid_argument("error: range of random whole numbers: empty, limit low <= high");
}

}  // namespace lab
