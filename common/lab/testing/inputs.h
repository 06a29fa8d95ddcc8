#pragma once

// Random inputs that can be replayed: the same seed gives every test the same numbers, on every
// machine and with every compiler.
//
//   lab::Random random;                                  // this test's own stream
//   const std::vector<float> x = random.Floats(n, -1, 1);
//   const int key = random.UniformInt(0, 25);

#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include "common/lab/call/run_settings.h"

namespace lab {

// The seed of this run: the environment's LAB_SEED, else fresh (below 2^32) and then fixed for the
// process. Throws std::invalid_argument if LAB_SEED is not a decimal number below 2^64.
// Thread-safe.
std::uint64_t Seed();

// A stream of random numbers of which none tells another: ChaCha (Bernstein, "ChaCha, a variant of
// Salsa20", SASC 2008) with 8 rounds. Copyable; one thread at a time.
class Random {
 public:
  // The stream of the test that is running: depends on SetRandomKey's key or else Seed(), the
  // test's full name, and how many such objects this test has made before (so two of them in one
  // test differ).
  Random();
  explicit Random(std::uint64_t seed) : Random({seed, 0}, {}) {}
  Random(const RandomKey& key, const RandomKey& stream) : key_(key), stream_(stream) {}

  // A stream of its own, which this one decides.
  Random Fork() {
    const std::uint64_t first = Next();
    return {{first, Next()}, {}};
  }

  // Uniform over all 64-bit values.
  std::uint64_t Next() {
    if (next_ == block_.size()) Refill();
    return block_[next_++];
  }

  // Uniform over [low, high), both ends finite. Throws std::invalid_argument unless low < high.
  float UniformFloat(float low, float high);
  double UniformDouble(double low, double high);

  // Uniform over [low, high], both ends included: UniformInt<std::size_t>(0, n). T defaults to int.
  // Throws std::invalid_argument if low > high.
  template <std::integral T = int>
  T UniformInt(std::type_identity_t<T> low, std::type_identity_t<T> high) {
    const std::uint64_t width = Width(low, high);
    return static_cast<T>(static_cast<std::uint64_t>(low) + Below(width));
  }

  // Uniform<T>(low, high): one of the three above, by T.
  template <typename T>
  requires std::is_arithmetic_v<T> T Uniform(std::type_identity_t<T> low,
                                             std::type_identity_t<T> high) {
    if constexpr (std::is_same_v<T, float>) {
      return UniformFloat(low, high);
    } else if constexpr (std::is_floating_point_v<T>) {
      return static_cast<T>(UniformDouble(low, high));
    } else {
      return UniformInt<T>(low, high);
    }
  }

  // Fills `values` with Uniform<T>(low, high).
  template <typename T>
  void Fill(std::span<T> values, std::type_identity_t<T> low, std::type_identity_t<T> high) {
    for (T& value : values) value = Uniform<T>(low, high);
  }

  template <typename T>
  std::vector<T> Vector(std::size_t n, std::type_identity_t<T> low, std::type_identity_t<T> high) {
    std::vector<T> values(n);
    Fill(std::span<T>(values), low, high);
    return values;
  }
  std::vector<float> Floats(std::size_t n, float low, float high) {
    return Vector<float>(n, low, high);
  }
  std::vector<double> Doubles(std::size_t n, double low, double high) {
    return Vector<double>(n, low, high);
  }
  std::vector<int> Ints(std::size_t n, int low, int high) { return Vector<int>(n, low, high); }

  // n values that are uniform over all of their type, faster than one by one.
  template <std::integral T>
  std::vector<T> AnyBits(std::size_t n) {
    std::vector<T> values(n);
    FillBytes(std::as_writable_bytes(std::span<T>(values)));
    return values;
  }
  // n whole numbers uniform over the 4,096 from `least` on, faster than one by one.
  std::vector<float> SmallNumbers(std::size_t n, int least = 0);

  // Puts `values` in a uniformly random order (std::shuffle's order differs between libraries).
  template <typename T>
  void Shuffle(std::span<T> values) {
    for (std::size_t left = values.size(); left > 1; --left) {
      std::swap(values[left - 1], values[UniformInt<std::size_t>(0, left - 1)]);
    }
  }
  template <typename T>
  void Shuffle(std::vector<T>& values) {
    Shuffle(std::span<T>(values));
  }

 private:
  // high - low, as it is in 64-bit arithmetic. Throws if low > high.
  template <std::integral T>
  static std::uint64_t Width(T low, T high) {
    if (low > high) ThrowEmptyRange();
    return static_cast<std::uint64_t>(high) - static_cast<std::uint64_t>(low);
  }
  [[noreturn]] static void ThrowEmptyRange();

  // Uniform over [0, last], without bias.
  std::uint64_t Below(std::uint64_t last);

  void Refill();
  void FillBytes(std::span<std::byte> bytes);

  RandomKey key_;
  RandomKey stream_;
  std::uint64_t blocks_ = 0;  // drawn so far
  std::array<std::uint64_t, 32> block_;
  std::size_t next_ = 32;  // in `block_`
};

}  // namespace lab
