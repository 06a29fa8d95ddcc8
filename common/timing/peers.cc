#include "common/timing/peers.h"

#include <omp.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <memory>
#include <thread>
#include <vector>

#include "common/timing/statistics.h"
#include "common/timing/stopwatch.h"

namespace lab {
namespace {

constexpr int kWarmUp = 2;
constexpr int kRounds = 21;
constexpr std::size_t kCacheLine = 64;

// When a parallel loop is done, OpenMP's and oneTBB's threads go on looking for work for some
// milliseconds and would take the next peer's cores. So every peer starts when they sleep.
constexpr std::chrono::milliseconds kRest{20};

using Times = std::vector<double>;

bool RunRounds(std::span<const Peer> peers, std::vector<Times>& times) {
  for (int round = -kWarmUp; round < kRounds; ++round) {
    for (std::size_t i = 0; i < peers.size(); ++i) {
      std::this_thread::sleep_for(kRest);
      const Stopwatch stopwatch;
      peers[i].run();
      if (round >= 0) times[i].push_back(stopwatch.Seconds());
      if (round != -kWarmUp && round != kRounds - 1) continue;
      if (peers[i].is_right()) continue;
      std::fprintf(stderr, "error: %s gives a wrong result\n", peers[i].name.c_str());
      return false;
    }
  }
  return true;
}

double MedianRatio(const Times& times, const Times& first) {
  Times ratios(times.size());
  for (std::size_t i = 0; i < times.size(); ++i) ratios[i] = times[i] / first[i];
  return Median(ratios);
}

}  // namespace

bool ComparePeers(const std::string& job, std::span<const Peer> peers) {
  std::vector<Times> times(peers.size());
  if (!RunRounds(peers, times)) return false;
  std::printf("%s, %d threads, %d rounds\n", job.c_str(), omp_get_max_threads(), kRounds);
  std::printf("  %-36s %9s %9s %7s %7s\n", "", "least ms", "median ms", "GB/s", "ratio");
  for (std::size_t i = 0; i < peers.size(); ++i) {
    const double least = *std::min_element(times[i].begin(), times[i].end());
    const double median = Median(times[i]);
    std::printf("  %-36s %9.2f %9.2f %7.1f %7.2f\n", peers[i].name.c_str(), least * 1e3,
                median * 1e3, static_cast<double>(peers[i].bytes) / median * 1e-9,
                MedianRatio(times[i], times[0]));
  }
  return true;
}

Peer CopyPeer(std::size_t bytes) {
  struct Buffers {
    std::vector<char> from;
    std::vector<char> to;
  };
  const std::size_t half = bytes / 2;  // bytes read, and bytes written
  const auto buffers = std::make_shared<Buffers>();
  buffers->from.assign(half, 'x');
  buffers->to.assign(half, ' ');
  const auto run = [buffers, half] {
#pragma omp parallel
    {
      const std::size_t threads = omp_get_num_threads();
      const std::size_t begin = half * omp_get_thread_num() / threads;
      const std::size_t end = half * (omp_get_thread_num() + 1) / threads;
      std::memcpy(buffers->to.data() + begin, buffers->from.data() + begin, end - begin);
    }
  };
  return {"memcpy of as many bytes", bytes, run,
          [buffers] { return buffers->to == buffers->from; }};
}

Peer ReadPeer(std::size_t bytes) {
  constexpr std::size_t kStep = kCacheLine / sizeof(std::uint64_t);
  struct State {
    std::vector<std::uint64_t> words;
    std::uint64_t sum = 0;
  };
  const auto state = std::make_shared<State>();
  state->words.assign(bytes / sizeof(std::uint64_t), 1);
  const auto run = [state] {
    std::uint64_t sum = 0;
#pragma omp parallel for reduction(+ : sum)
    for (std::size_t i = 0; i < state->words.size(); i += kStep) sum += state->words[i];
    state->sum = sum;
  };
  const std::size_t lines = (state->words.size() + kStep - 1) / kStep;
  return {"a word of each line of as many bytes", bytes, run,
          [state, lines] { return state->sum == lines; }};
}

}  // namespace lab
