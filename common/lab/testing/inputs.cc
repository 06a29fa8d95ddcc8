#include "common/lab/testing/inputs.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <optional>
#include <random>
#include <stdexcept>
#include <string>
#include <string_view>

#include "common/lab/call/run_settings.h"

namespace lab {
namespace {

// A word of four of ChaCha's blocks.
using Lanes = std::uint32_t __attribute__((vector_size(16)));
using Blocks = std::array<Lanes, 16>;

Lanes Rotated(Lanes x, int bits) { return x << bits | x >> (32 - bits); }

[[gnu::always_inline]] inline void QuarterRound(Blocks& x, int a, int b, int c, int d) {
  x[a] += x[b];
  x[d] = Rotated(x[d] ^ x[a], 16);
  x[c] += x[d];
  x[b] = Rotated(x[b] ^ x[c], 12);
  x[a] += x[b];
  x[d] = Rotated(x[d] ^ x[a], 8);
  x[c] += x[d];
  x[b] = Rotated(x[b] ^ x[c], 7);
}

void DoubleRound(Blocks& x) {
  QuarterRound(x, 0, 4, 8, 12);
  QuarterRound(x, 1, 5, 9, 13);
  QuarterRound(x, 2, 6, 10, 14);
  QuarterRound(x, 3, 7, 11, 15);
  QuarterRound(x, 0, 5, 10, 15);
  QuarterRound(x, 1, 6, 11, 12);
  QuarterRound(x, 2, 7, 8, 13);
  QuarterRound(x, 3, 4, 9, 14);
}

Lanes Low(std::uint64_t value) { return Lanes{} + static_cast<std::uint32_t>(value); }
Lanes High(std::uint64_t value) { return Low(value >> 32); }

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

RandomKey KeyOfRun() {
  const std::optional<RandomKey>& chosen = internal::ChosenKey();
  return chosen ? *chosen : RandomKey{Seed(), 0};
}

RandomKey StreamOfRunningTest() {
  const testing::TestInfo* test = testing::UnitTest::GetInstance()->current_test_info();
  std::string name;
  if (test != nullptr) name = std::string(test->test_suite_name()) + "." + test->name();
  return {HashText(name), NextStream(test)};
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
  static const std::uint64_t seed = SeedOfEnvironment();
  return seed;
}

Random::Random() : Random(KeyOfRun(), StreamOfRunningTest()) {}

void Random::Refill() {
  constexpr std::size_t kLanes = 4;
  constexpr int kDoubleRounds = 4;
  Lanes low{}, high{};
  for (std::size_t lane = 0; lane < kLanes; ++lane, ++blocks_) {
    low[lane] = static_cast<std::uint32_t>(blocks_);
    high[lane] = static_cast<std::uint32_t>(blocks_ >> 32);
  }
  // "expand 32-byte k"
  const Blocks start = {Low(0x61707865),
                        Low(0x3320646e),
                        Low(0x79622d32),
                        Low(0x6b206574),
                        Low(key_[0]),
                        High(key_[0]),
                        Low(key_[1]),
                        High(key_[1]),
                        Low(stream_[0]),
                        High(stream_[0]),
                        Low(stream_[1]),
                        High(stream_[1]),
                        low,
                        high,
                        Lanes{},
                        Lanes{}};
  Blocks x = start;
  for (int i = 0; i < kDoubleRounds; ++i) DoubleRound(x);
#pragma GCC unroll 16  // keeps x in registers
  for (std::size_t word = 0; word < x.size(); ++word) x[word] += start[word];
  block_ = std::bit_cast<decltype(block_)>(x);
  next_ = 0;
}

float Random::UniformFloat(float low, float high) { return CheckedBetween(low, high, Next()); }

double Random::UniformDouble(double low, double high) { return CheckedBetween(low, high, Next()); }

void Random::FillBytes(std::span<std::byte> bytes) {
  while (!bytes.empty()) {
    const std::uint64_t number = Next();
    const std::size_t size = std::min(bytes.size(), sizeof(number));
    std::memcpy(bytes.data(), &number, size);
    bytes = bytes.subspan(size);
  }
}

std::vector<float> Random::SmallNumbers(std::size_t n, int least) {
  constexpr std::size_t kInANumber = 5;
  std::vector<float> values(n);
  for (std::size_t i = 0; i < n;) {
    std::uint64_t bits = Next();
    for (const std::size_t end = std::min(n, i + kInANumber); i < end; ++i, bits >>= 12) {
      values[i] = static_cast<float>(static_cast<int>(bits & 0xfff) + least);
    }
  }
  return values;
}

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
