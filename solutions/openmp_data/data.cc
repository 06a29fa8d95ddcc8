// The reference.

#include "labs/openmp_data/data.h"

#include <omp.h>

#include <algorithm>
#include <iterator>
#include <limits>
#include <vector>

namespace {

// What the visitor of TallyWalks works on: it gets no argument for it.
struct Account {
  std::uint64_t weights[kBins];
  std::uint64_t counts[kBins];
  std::uint64_t score;
};

Account account;
#pragma omp threadprivate(account)

void Visit(std::size_t bin) {
  account.score += account.weights[bin];
  ++account.counts[bin];
}

template <typename Filter>
void FilterAll(std::span<const std::uint64_t> unpacked, std::span<std::uint64_t> out, int threads,
               Filter filter) {
#pragma omp parallel for num_threads(threads)
  for (std::size_t i = 0; i < out.size(); ++i) out[i] = filter(unpacked[i]);
}

template <typename Next>
std::vector<std::uint64_t> Unpack(std::span<const std::uint64_t> packed, Next next) {
  std::vector<std::uint64_t> unpacked;
  unpacked.reserve(packed.size());
  std::uint64_t value = 0;
  for (const std::uint64_t number : packed) unpacked.push_back(value = next(value, number));
  return unpacked;
}

// A lock for each bucket.
class Locks {
 public:
  explicit Locks(std::size_t buckets) : locks_(buckets) {
    for (omp_lock_t& lock : locks_) omp_init_lock(&lock);
  }
  ~Locks() {
    for (omp_lock_t& lock : locks_) omp_destroy_lock(&lock);
  }
  Locks(const Locks&) = delete;
  Locks& operator=(const Locks&) = delete;

  omp_lock_t* Of(std::size_t bucket) { return &locks_[bucket]; }

 private:
  std::vector<omp_lock_t> locks_;
};

struct Table {
  std::span<std::uint32_t> heads;
  std::span<Entry> entries;
  std::uint32_t size = 0;
};

std::uint32_t Find(const Table& table, std::size_t bucket, std::uint64_t key) {
  std::uint32_t place;
  // Acquires what the thread wrote that released this head: the entry, and those behind it.
#pragma omp atomic read acquire
  place = table.heads[bucket];
  while (place != kNoEntry && table.entries[place].key != key) place = table.entries[place].next;
  return place;
}

// For a thread that has the bucket's lock.
std::uint32_t Insert(Table& table, std::size_t bucket, std::uint64_t key) {
  std::uint32_t place;
#pragma omp atomic capture
  place = table.size++;
  table.entries[place] = {key, 0, table.heads[bucket]};
#pragma omp atomic write release
  table.heads[bucket] = place;
  return place;
}

std::uint32_t FindOrInsert(Table& table, Locks& locks, std::size_t bucket, std::uint64_t key) {
  std::uint32_t place = Find(table, bucket, key);
  if (place != kNoEntry) return place;
  omp_set_lock(locks.Of(bucket));
  place = Find(table, bucket, key);  // another thread may have come first
  if (place == kNoEntry) place = Insert(table, bucket, key);
  omp_unset_lock(locks.Of(bucket));
  return place;
}

}  // namespace

Window MedianFilter(std::span<const float> in, std::span<float> out) {
  float sorted[kWindow + 1] = {-std::numeric_limits<float>::infinity()};  // a sentinel
  const std::size_t n = out.size();
#pragma omp parallel for default(none) shared(n) firstprivate(in, out, sorted) lastprivate(sorted)
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t k = 0; k < kWindow; ++k) {
      const float value = in[i + k];
      std::size_t place = k;
      for (; sorted[place] > value; --place) sorted[place + 1] = sorted[place];
      sorted[place + 1] = value;
    }
    out[i] = sorted[1 + kWindow / 2];
  }
  Window last;
  std::copy(sorted + 1, std::end(sorted), last.sorted);
  return last;
}

void TallyWalks(std::span<const WalkOrder> walks, std::span<const std::uint64_t> weights,
                std::span<std::uint64_t> scores, std::span<std::uint64_t> counts) {
  account = {};
  std::ranges::copy(weights, account.weights);
  std::ranges::fill(counts, 0);
#pragma omp parallel copyin(account)
  {
#pragma omp for schedule(dynamic) nowait
    for (std::size_t i = 0; i < walks.size(); ++i) {
      account.score = 0;
      Walk(walks[i], Visit);
      scores[i] = account.score;
    }
#pragma omp critical
    for (std::size_t bin = 0; bin < kBins; ++bin) counts[bin] += account.counts[bin];
  }
}

void UnpackBoth(std::span<const std::uint64_t> packed_sound,
                std::span<const std::uint64_t> packed_picture, std::span<std::uint64_t> sound,
                std::span<std::uint64_t> picture) {
  const int half = std::max(1, omp_get_max_threads() / 2);
  omp_set_max_active_levels(2);
#pragma omp parallel sections num_threads(2)
  {
#pragma omp section
    FilterAll(Unpack(packed_sound, NextSample), sound, half, FilterSample);
#pragma omp section
    FilterAll(Unpack(packed_picture, NextPixel), picture, half, FilterPixel);
  }
}

std::size_t CountKeys(std::span<const std::uint64_t> keys, std::span<std::uint32_t> heads,
                      std::span<Entry> entries) {
  Locks locks(heads.size());
  Table table{heads, entries};
#pragma omp parallel
  {
#pragma omp for
    for (std::size_t bucket = 0; bucket < heads.size(); ++bucket) heads[bucket] = kNoEntry;
#pragma omp for
    for (std::size_t i = 0; i < keys.size(); ++i) {
      const std::size_t bucket = BucketOf(keys[i], heads.size());
      const std::uint32_t place = FindOrInsert(table, locks, bucket, keys[i]);
#pragma omp atomic
      ++table.entries[place].count;
    }
  }
  return table.size;
}

std::size_t FindMatch(std::span<const std::uint64_t> candidates, std::uint64_t target,
                      std::uint32_t rounds) {
  std::size_t found = candidates.size();
#pragma omp parallel
  {
#pragma omp for schedule(dynamic, 16)
    for (std::size_t i = 0; i < candidates.size(); ++i) {
      if (Mix(candidates[i], rounds) == target) {
#pragma omp atomic write
        found = i;
#pragma omp cancel for
      }
#pragma omp cancellation point for
    }
  }
  return found;
}
