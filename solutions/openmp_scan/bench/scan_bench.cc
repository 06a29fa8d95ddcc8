// Times the reference's scans beside oneTBB and the standard library.

#include <tbb/blocked_range.h>
#include <tbb/parallel_scan.h>

#include <algorithm>
#include <execution>
#include <functional>
#include <memory>
#include <numeric>
#include <vector>

#include "common/benchmark/host.h"
#include "labs/openmp_scan/scan.h"

namespace {

constexpr std::size_t kSize = std::size_t{1} << 24;
using Range = tbb::blocked_range<std::size_t>;

// tbb::parallel_scan of `in` into `out`, inclusive or exclusive.
template <typename Sum, typename In, typename Out>
void ScanWithTbb(const In& in, Out& out, bool inclusive) {
  tbb::parallel_scan(
      Range(0, in.size()), Sum{0},
      [&](const Range& range, Sum sum, bool is_final) {
        for (std::size_t i = range.begin(); i < range.end(); ++i) {
          if (is_final && !inclusive) out[i] = sum;
          sum += in[i];
          if (is_final && inclusive) out[i] = sum;
        }
        return sum;
      },
      std::plus<>());
}

// Reads and writes what a scan does, each number once, through the caches: the limit of what memory
// allows to a scan. A line that is written is read before, so a number moves 20 bytes; that of
// three phases moves 24 where the input does not stay in the caches, as it is read twice. (memcpy,
// below, writes past the caches, which a scan that adds one number after the other can't do in
// plain C++.) Rounds of tiles that fit in the caches move 20 bytes, too, but with their barriers
// they were not faster when nothing else ran, and several times as slow when something did.
template <typename In, typename Out>
lab::Candidate WideningCopy(const std::vector<In>& in) {
  const auto out = std::make_shared<std::vector<Out>>(in.size());
  const auto run = [&in, out] {
#pragma omp parallel for
    for (std::size_t i = 0; i < in.size(); ++i) (*out)[i] = in[i];
  };
  const auto is_right = [&in, out] { return std::equal(in.begin(), in.end(), out->begin()); };
  const std::size_t bytes = in.size() * (sizeof(In) + sizeof(Out));
  return {"a copy of each number", static_cast<double>(bytes), run, is_right};
}

bool CompareInclusiveScan() {
  std::vector<std::int32_t> values(kSize);
  for (std::size_t i = 0; i < kSize; ++i) values[i] = static_cast<std::int32_t>(i % 201) - 100;
  std::vector<std::int64_t> want(kSize);
  std::inclusive_scan(values.begin(), values.end(), want.begin(), std::plus<>(), std::int64_t{0});
  std::vector<std::int64_t> sums(kSize);
  const std::size_t bytes = kSize * (sizeof(std::int32_t) + sizeof(std::int64_t));
  const auto entry = [&](const char* name, auto run) {
    return lab::Candidate{name, static_cast<double>(bytes), run, [&] { return sums == want; }};
  };
  const std::vector<lab::Candidate> candidates = {
      entry("InclusiveScan", [&] { InclusiveScan(values, sums); }),
      entry("tbb::parallel_scan", [&] { ScanWithTbb<std::int64_t>(values, sums, true); }),
      entry("std::inclusive_scan(par)",
            [&] {
              std::inclusive_scan(std::execution::par, values.begin(), values.end(), sums.begin(),
                                  std::plus<>(), std::int64_t{0});
            }),
      WideningCopy<std::int32_t, std::int64_t>(values),
      lab::HostCopy(bytes),
  };
  return lab::CompareOnHost("the inclusive scan of 2^24 numbers", candidates);
}

bool CompareExclusiveScan() {
  std::vector<std::uint32_t> counts(kSize);
  for (std::size_t i = 0; i < kSize; ++i) counts[i] = static_cast<std::uint32_t>(i % 201);
  std::vector<std::uint64_t> want(kSize);
  std::exclusive_scan(counts.begin(), counts.end(), want.begin(), std::uint64_t{0});
  std::vector<std::uint64_t> starts(kSize);
  const std::size_t bytes = kSize * (sizeof(std::uint32_t) + sizeof(std::uint64_t));
  const auto entry = [&](const char* name, auto run) {
    return lab::Candidate{name, static_cast<double>(bytes), run, [&] { return starts == want; }};
  };
  const std::vector<lab::Candidate> candidates = {
      entry("ExclusiveScan", [&] { ExclusiveScan(counts, starts); }),
      entry("tbb::parallel_scan", [&] { ScanWithTbb<std::uint64_t>(counts, starts, false); }),
      entry("std::exclusive_scan(par)",
            [&] {
              std::exclusive_scan(std::execution::par, counts.begin(), counts.end(), starts.begin(),
                                  std::uint64_t{0});
            }),
      WideningCopy<std::uint32_t, std::uint64_t>(counts),
      lab::HostCopy(bytes),
  };
  return lab::CompareOnHost("the exclusive scan of 2^24 numbers", candidates);
}

bool ComparePack() {
  std::vector<float> values(kSize);
  for (std::size_t i = 0; i < kSize; ++i) values[i] = static_cast<float>(i * 7919 % 1000);
  const auto is_kept = [](float value) { return value > 499.5f; };
  std::vector<float> want(kSize);
  std::copy_if(values.begin(), values.end(), want.begin(), is_kept);
  std::vector<float> kept(kSize);
  const std::size_t bytes = kSize * sizeof(float) * 3 / 2;  // half of them are kept
  const auto entry = [&](const char* name, auto run) {
    return lab::Candidate{name, static_cast<double>(bytes), run, [&] { return kept == want; }};
  };
  const std::vector<lab::Candidate> candidates = {
      entry("Pack", [&] { Pack(values, 499.5f, kept); }),
      entry("std::copy_if(par)",
            [&] {
              std::copy_if(std::execution::par, values.begin(), values.end(), kept.begin(),
                           is_kept);
            }),
      lab::HostCopy(bytes),
  };
  return lab::CompareOnHost("half of 2^24 numbers packed", candidates);
}

}  // namespace

int main() { return CompareInclusiveScan() && CompareExclusiveScan() && ComparePack() ? 0 : 1; }
