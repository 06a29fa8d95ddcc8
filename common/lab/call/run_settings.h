#pragma once

// What a harness tells the tests before they start. Tests themselves only read: lab::Random in
// inputs.h and lab::Scaled() and lab::TimedSize() in sizes.h. Not thread-safe: call before
// RUN_ALL_TESTS().

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>

namespace lab {

// What lab::Random draws from.
using RandomKey = std::array<std::uint64_t, 2>;

// Makes lab::Random draw from `key`, whatever LAB_SEED says.
void SetRandomKey(const RandomKey& key);

// Makes lab::Scaled(n) return about n / divisor. `divisor` is at least 1; throws
// std::invalid_argument for 0.
void SetScaleDivisor(std::size_t divisor);

// Whether lab::Scaled() was called since the last call of this function.
bool TakeScaled();

// Makes lab::TimedSize() return the sizes for a GPU.
void SetTimesGpu(bool value);

namespace internal {

// What SetRandomKey said, if it was called.
const std::optional<RandomKey>& ChosenKey();

std::size_t ScaleDivisor();

// Notes that lab::Scaled() was called.
void NoteScaled();

bool TimesGpu();

}  // namespace internal
}  // namespace lab
