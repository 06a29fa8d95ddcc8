#pragma once

// What a harness tells the tests before they start. Tests themselves only read: lab::Seed() in
// inputs.h and lab::Scaled() and lab::TimedSize() in sizes.h. Not thread-safe: call before
// RUN_ALL_TESTS().

#include <cstddef>
#include <cstdint>
#include <optional>

namespace lab {

// Makes lab::Seed() return `seed`, whatever LAB_SEED says.
void SetSeed(std::uint64_t seed);

// Makes lab::Scaled(n) return about n / divisor. `divisor` is at least 1; throws
// std::invalid_argument for 0.
void SetScaleDivisor(std::size_t divisor);

// Makes lab::TimedSize() return the sizes for a GPU.
void SetTimesGpu(bool value);

namespace internal {

// What SetSeed said, if it was called.
std::optional<std::uint64_t> ChosenSeed();

std::size_t ScaleDivisor();

bool TimesGpu();

}  // namespace internal
}  // namespace lab
