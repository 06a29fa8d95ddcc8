#pragma once

// What the hidden tests of the lab "Streams on a GPU" expect.

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "common/lab/testing/comparisons.h"
#include "common/lab/testing/function.h"
#include "common/lab/testing/inputs.h"
#include "labs/cuda_streams/streams.h"

namespace cuda_streams {

inline const lab::Function<decltype(MixInTwoStreams)> mix_in_two_streams{"MixInTwoStreams"};
inline const lab::Function<decltype(MixChained)> mix_chained{"MixChained"};
inline const lab::Function<decltype(MixInPipeline)> mix_in_pipeline{"MixInPipeline"};
inline const lab::Function<decltype(MixManaged)> mix_managed{"MixManaged"};
inline const lab::Function<decltype(MixHandedOver)> mix_handed_over{"MixHandedOver"};

using Number = std::uint32_t;
using Numbers = std::vector<Number>;

// The number as it is after `rounds` rounds of the contract's generator.
inline Number Mixed(Number x, int rounds) {
  for (int i = 0; i < rounds; ++i) {
    x ^= x << 13;
    x ^= x >> 17;
    x ^= x << 5;
  }
  return x;
}

struct Size {
  std::size_t n;
  int chunk;
  int rounds = 3;
};

inline std::string Text(const Size& size) {
  return std::to_string(size.n) + " numbers in chunks of " + std::to_string(size.chunk) + ", " +
         std::to_string(size.rounds) + " rounds";
}

// A part: from `in` to `out`, of the same size.
using Mix =
    std::function<void(std::span<const Number> in, std::span<Number> out, int rounds, int chunk)>;

// The part's result for one number, given the key of its chunk; only chained chunks have keys.
struct Chain {
  bool chained = false;
  Number key = 0;
};

inline Numbers Expected(const Numbers& in, const Size& size, const Chain& chain) {
  Numbers out(in.size());
  Number key = chain.key;
  for (std::size_t i = 0; i < in.size(); ++i) {
    const bool begins = i > 0 && i % static_cast<std::size_t>(size.chunk) == 0;
    if (chain.chained && begins) key = out[i - 1];
    out[i] = Mixed(in[i] ^ (chain.chained ? key : 0), size.rounds);
  }
  return out;
}

inline void ExpectMixed(const Mix& mix, const Size& size, lab::Random& random,
                        const Chain& chain = {}) {
  SCOPED_TRACE(Text(size));
  const auto in = random.Vector<Number>(size.n, 0, UINT32_MAX);
  Numbers out = lab::Poisoned<Number>(size.n);
  mix(in, out, size.rounds, size.chunk);
  lab::ExpectAllEqual(out, Expected(in, size, chain));
}

}  // namespace cuda_streams
