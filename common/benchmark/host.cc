#include "common/benchmark/host.h"

#include <omp.h>

#include <chrono>
#include <cstdint>
#include <cstring>
#include <memory>
#include <thread>

#include "common/timing/stopwatch.h"

namespace lab {
namespace {

constexpr std::size_t kCacheLine = 64;

// When a parallel loop is done, OpenMP's and oneTBB's threads go on looking for work for some
// milliseconds and would take the next candidate's cores. So each starts when they sleep.
constexpr std::chrono::milliseconds kRest{20};

double WallMilliseconds(const std::function<void()>& run) {
  const Stopwatch stopwatch;
  run();
  return stopwatch.Seconds() * 1e3;
}

}  // namespace

bool CompareOnHost(const std::string& title, std::vector<Candidate> candidates) {
  const auto rest = [] { std::this_thread::sleep_for(kRest); };
  if (!RunRounds(candidates, rest, WallMilliseconds)) return false;
  PrintComparison(title + ", " + std::to_string(omp_get_max_threads()) + " threads", "GB/s",
                  candidates);
  return true;
}

Candidate HostCopy(std::size_t bytes) {
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
  return {"memcpy of as many bytes", static_cast<double>(bytes), run,
          [buffers] { return buffers->to == buffers->from; }};
}

Candidate HostRead(std::size_t bytes) {
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
  return {"a word of each line of as many bytes", static_cast<double>(bytes), run,
          [state, lines] { return state->sum == lines; }};
}

}  // namespace lab
