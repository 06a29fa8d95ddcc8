// Times the reference's sums beside oneTBB and std::reduce.

#include <tbb/blocked_range.h>
#include <tbb/parallel_reduce.h>

#include <execution>
#include <functional>
#include <numeric>
#include <thread>
#include <vector>

#include "common/benchmark/host.h"
#include "labs/pthreads_sum/sum.h"

namespace {

constexpr std::size_t kSize = std::size_t{1} << 25;
constexpr std::size_t kBytes = kSize * sizeof(float);
constexpr std::size_t kChunk = std::size_t{1} << 16;

double ReduceWithTbb(const std::vector<float>& values) {
  using Range = tbb::blocked_range<std::size_t>;
  return tbb::parallel_reduce(
      Range(0, values.size()), 0.0,
      [&](const Range& range, double sum) {
        for (std::size_t i = range.begin(); i < range.end(); ++i) sum += values[i];
        return sum;
      },
      std::plus<>());
}

}  // namespace

int main() {
  const int threads = static_cast<int>(std::thread::hardware_concurrency());
  std::vector<float> values(kSize);
  for (std::size_t i = 0; i < kSize; ++i) values[i] = static_cast<float>(i % 64);
  const double want = static_cast<double>(kSize / 64) * (63 * 64 / 2);
  double got = 0;
  const auto entry = [&](const char* name, auto sum) {
    return lab::Candidate{name, kBytes, [&got, sum] { got = sum(); },
                          [&got, want] { return got == want; }};
  };
  const std::vector<lab::Candidate> candidates = {
      entry("SumPartial", [&] { return SumPartial(values, threads); }),
      entry("SumQueue, chunks of 2^16", [&] { return SumQueue(values, threads, kChunk); }),
      entry("tbb::parallel_reduce", [&] { return ReduceWithTbb(values); }),
      // With a policy it adds by std::plus<double>, so no two floats are added as floats.
      entry("std::reduce(par)",
            [&] { return std::reduce(std::execution::par, values.begin(), values.end(), 0.0); }),
      entry("std::reduce(par_unseq)",
            [&] {
              return std::reduce(std::execution::par_unseq, values.begin(), values.end(), 0.0);
            }),
      lab::HostRead(kBytes),
      lab::HostCopy(kBytes),
  };
  return lab::CompareOnHost("the sum of 2^25 floats", candidates) ? 0 : 1;
}
