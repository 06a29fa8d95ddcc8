#pragma once

// What the tests of the parts share: sizes, texts, keys and what is expected of them.

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "common/lab/call/sizes.h"
#include "common/lab/testing/comparisons.h"
#include "common/lab/testing/function.h"
#include "common/lab/testing/inputs.h"
#include "common/lab/testing/poison.h"
#include "labs/cuda_histogram/histogram.h"

namespace histogram_test {

inline const lab::Function<decltype(CountLetters)> count_letters{"CountLetters"};
inline const lab::Function<decltype(CountLettersPrivate)> count_letters_private{
    "CountLettersPrivate"};
inline const lab::Function<decltype(CountLettersAggregated)> count_letters_aggregated{
    "CountLettersAggregated"};

using Counts = std::vector<unsigned>;
using Count = std::function<void(std::span<const char> text, std::span<unsigned> bins)>;

// Sizes at which vectors of 4 and 16 characters, warps, blocks and their tiles begin and end.
inline std::set<std::size_t> Sizes() {
  std::set<std::size_t> sizes;
  for (const std::size_t width : {4, 16, 32, 64, 128, 256, 512, 1024, 4096}) {
    for (const std::size_t n : lab::EdgeSizes(width)) sizes.insert(n);
  }
  return sizes;
}

// n characters of `alphabet`, made eight at a time. The alphabet has 1 to 256 of them.
inline std::string TextOf(lab::Random& random, std::size_t n, std::string_view alphabet) {
  std::string text(n, '\0');
  std::uint64_t bits = 0;
  for (std::size_t i = 0; i < n; ++i, bits >>= 8) {
    if (i % 8 == 0) bits = random.Next();
    text[i] = alphabet[(bits & 0xff) * alphabet.size() / 256];
  }
  return text;
}

inline std::string AllBytes() {
  std::string bytes;
  for (int byte = 0; byte < 256; ++byte) bytes.push_back(static_cast<char>(byte));
  return bytes;
}

inline constexpr std::string_view kLettersAndSpace = "abcdefghijklmnopqrstuvwxyz ";

// Written out, so that it shares no arithmetic with the code under test.
inline Counts ExpectedLetters(std::string_view text) {
  constexpr std::string_view kGroups[kLetterBins] = {"abcd", "efgh", "ijkl", "mnop",
                                                     "qrst", "uvwx", "yz"};
  std::vector<std::size_t> occurrences(256);
  for (const char character : text) ++occurrences[static_cast<unsigned char>(character)];
  Counts want(kLetterBins);
  for (std::size_t b = 0; b < kLetterBins; ++b) {
    for (const char letter : kGroups[b]) {
      want[b] += static_cast<unsigned>(occurrences[static_cast<unsigned char>(letter)]);
    }
  }
  return want;
}

// `before` is what the bins held.
inline void ExpectBins(const Count& count, std::string_view text, const Counts& want,
                       Counts before = lab::Poisoned<unsigned>(kLetterBins)) {
  SCOPED_TRACE("with n = " + std::to_string(text.size()));
  count(text, before);
  lab::ExpectAllEqual(before, want);
}

inline void ExpectLetters(const Count& count, std::string_view text) {
  ExpectBins(count, text, ExpectedLetters(text));
}

}  // namespace histogram_test
