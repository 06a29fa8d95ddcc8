#pragma once

// Calls each function and checks all that it wrote.

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "common/lab/call/sizes.h"
#include "common/lab/call/team_size.h"
#include "common/lab/testing/comparisons.h"
#include "common/lab/testing/function.h"
#include "common/lab/testing/inputs.h"
#include "common/lab/testing/poison.h"
#include "labs/openmp_data/data.h"

namespace openmp_data {

using Numbers = std::vector<std::uint64_t>;

inline constexpr int kMaxThreads = 8;

// Sizes at which shares of one to eight threads, and chunks, begin and end.
inline std::vector<std::size_t> Sizes() {
  std::vector<std::size_t> sizes = lab::EdgeSizes(16);
  for (std::size_t n = 0; n <= 2 * kMaxThreads + 1; ++n) sizes.push_back(n);
  return sizes;
}

// Calls `check` for each size of a team that a laptop may have.
inline void ForEachTeam(const std::function<void(const std::string&)>& check) {
  for (int threads = 1; threads <= kMaxThreads; ++threads) {
    const lab::TeamSize team(threads);
    ASSERT_NO_FATAL_FAILURE(check("a team of " + std::to_string(threads)));
  }
}

// A call of a few milliseconds may be over before the kernel has spread its threads over the cores,
// so the inputs that tell how parallel code is are larger.
inline std::size_t Timed(std::size_t n, std::size_t times_for_teams) {
  return lab::Scaled(lab::CurrentTeamSize() == 0 ? n : n * times_for_teams);
}

// What a call must give, computed once for calls that are repeated.
struct Medians {
  explicit Medians(std::vector<float> values) : in(std::move(values)) {
    for (std::size_t i = 0; i + kWindow <= in.size(); ++i) {
      std::copy_n(in.begin() + static_cast<std::ptrdiff_t>(i), kWindow, last.sorted);
      std::ranges::sort(last.sorted);
      out.push_back(last.sorted[kWindow / 2]);
    }
  }

  void Check(const std::string& what) const {
    const lab::Function<decltype(MedianFilter)> median_filter{"MedianFilter"};
    SCOPED_TRACE(what + ", n = " + std::to_string(out.size()));
    std::vector<float> got = lab::Poisoned<float>(out.size());
    const Window window = median_filter(in, got);
    lab::ExpectAllEqual(got, out);
    for (std::size_t k = 0; k < kWindow; ++k) {
      ASSERT_EQ(window.sorted[k], last.sorted[k]) << "sorted[" << k << "] of the last window";
    }
  }

  std::vector<float> in;
  std::vector<float> out;
  Window last;
};

inline std::size_t visits_of_walk[kBins];

struct Tallies {
  Tallies(std::vector<WalkOrder> orders, Numbers of_bins)
      : walks(std::move(orders)), weights(std::move(of_bins)), counts(kBins) {
    for (const WalkOrder& walk : walks) {
      std::ranges::fill(visits_of_walk, 0);
      Walk(walk, [](std::size_t bin) { ++visits_of_walk[bin]; });
      std::uint64_t score = 0;
      for (std::size_t bin = 0; bin < kBins; ++bin) {
        score += weights[bin] * visits_of_walk[bin];
        counts[bin] += visits_of_walk[bin];
      }
      scores.push_back(score);
    }
  }

  void Check(const std::string& what) const {
    const lab::Function<decltype(TallyWalks)> tally_walks{"TallyWalks"};
    SCOPED_TRACE(what + ", n = " + std::to_string(walks.size()));
    Numbers got_scores = lab::Poisoned<std::uint64_t>(walks.size());
    Numbers got_counts = lab::Poisoned<std::uint64_t>(kBins);
    tally_walks(walks, weights, got_scores, got_counts);
    lab::ExpectAllEqual(got_scores, scores);
    lab::ExpectAllEqual(got_counts, counts);
  }

  std::vector<WalkOrder> walks;
  Numbers weights;
  Numbers scores;
  Numbers counts;
};

struct Unpacked {
  Unpacked(Numbers for_sound, Numbers for_picture)
      : packed_sound(std::move(for_sound)), packed_picture(std::move(for_picture)) {
    std::uint64_t sample = 0;
    for (const std::uint64_t packed : packed_sound) {
      sound.push_back(FilterSample(sample = NextSample(sample, packed)));
    }
    std::uint64_t pixel = 0;
    for (const std::uint64_t packed : packed_picture) {
      picture.push_back(FilterPixel(pixel = NextPixel(pixel, packed)));
    }
  }

  void Check(const std::string& what) const {
    const lab::Function<decltype(UnpackBoth)> unpack_both{"UnpackBoth"};
    SCOPED_TRACE(what + ", n = " + std::to_string(sound.size()) +
                 ", m = " + std::to_string(picture.size()));
    Numbers got_sound = lab::Poisoned<std::uint64_t>(sound.size());
    Numbers got_picture = lab::Poisoned<std::uint64_t>(picture.size());
    unpack_both(packed_sound, packed_picture, got_sound, got_picture);
    lab::ExpectAllEqual(got_sound, sound);
    lab::ExpectAllEqual(got_picture, picture);
  }

  Numbers packed_sound;
  Numbers packed_picture;
  Numbers sound;
  Numbers picture;
};

struct Counts {
  Counts(Numbers all, std::size_t of_buckets) : keys(std::move(all)), buckets(of_buckets) {
    for (const std::uint64_t key : keys) ++counts[key];
  }

  void Check(const std::string& what) const { Check(what, keys.size()); }

  // With room for so many entries: the different keys need fewer or as many.
  void Check(const std::string& what, std::size_t room) const {
    const lab::Function<decltype(CountKeys)> count_keys{"CountKeys"};
    SCOPED_TRACE(what + ", n = " + std::to_string(keys.size()) + ", " + std::to_string(buckets) +
                 " buckets");
    std::vector<std::uint32_t> heads = lab::Poisoned<std::uint32_t>(buckets);
    const Entry untouched{~std::uint64_t{0}, 7, 7};
    std::vector<Entry> entries(room, untouched);
    ASSERT_EQ(count_keys(keys, heads, entries), counts.size()) << "different keys";
    std::size_t found = 0;
    for (std::size_t bucket = 0; bucket < buckets; ++bucket) {
      ASSERT_NO_FATAL_FAILURE(CheckChain(entries, heads[bucket], bucket, found));
    }
    ASSERT_EQ(found, counts.size()) << "entries in all chains";
    for (std::size_t place = found; place < entries.size(); ++place) {
      ASSERT_EQ(entries[place].key, untouched.key) << "entries[" << place << "], which is unused";
    }
  }

  Numbers keys;
  std::size_t buckets;
  std::map<std::uint64_t, std::uint32_t> counts;

 private:
  void CheckChain(const std::vector<Entry>& entries, std::uint32_t place, std::size_t bucket,
                  std::size_t& found) const {
    for (; place != kNoEntry; place = entries[place].next) {
      ASSERT_LT(place, counts.size()) << "a place in the chain of bucket " << bucket;
      ASSERT_LT(found++, counts.size()) << "entries in the chains up to bucket " << bucket;
      const Entry& entry = entries[place];
      ASSERT_EQ(BucketOf(entry.key, buckets), bucket) << "the bucket of key " << entry.key;
      const auto want = counts.find(entry.key);
      ASSERT_TRUE(want != counts.end()) << "key " << entry.key << " is not among the keys";
      ASSERT_EQ(entry.count, want->second) << "the count of key " << entry.key;
    }
  }
};

// Mix() maps no two numbers to one, so candidates match if they are equal to `key`.
inline void CheckMatch(const Numbers& candidates, std::uint64_t key, std::uint32_t rounds,
                       const std::string& what) {
  const lab::Function<decltype(FindMatch)> find_match{"FindMatch"};
  const std::size_t n = candidates.size();
  const std::size_t found = find_match(candidates, Mix(key, rounds), rounds);
  if (std::ranges::find(candidates, key) == candidates.end()) {
    ASSERT_EQ(found, n) << what << ", no match, n = " << n;
    return;
  }
  ASSERT_LT(found, n) << what << ", n = " << n;
  ASSERT_EQ(candidates[found], key) << what << ", candidates[" << found << "], n = " << n;
}

}  // namespace openmp_data
