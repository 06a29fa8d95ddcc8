#pragma once

// Benchmarks of device code: contenders run in turn, are timed by CUDA events, and each result is
// checked. For programs that run by hand; one host thread calls all of this. A CUDA call that fails
// throws CudaError.

#include <cuda_runtime.h>

#include <functional>
#include <string>
#include <vector>

namespace lab {

inline constexpr int kContestWarmUp = 3;   // rounds that are not timed
inline constexpr int kContestRounds = 21;  // rounds of which the median is reported

// One way to solve a problem.
struct Contender {
  std::string name;
  double work;                     // of one run: bytes that must move, operations, edges, ...
  std::function<void()> run;       // puts its work on the default stream; need not wait for it
  std::function<bool()> is_right;  // looks at the result of the last run
  std::vector<double> milliseconds{};

  // After RunContest.
  double Median() const;  // in milliseconds
  double Rate() const;    // thousands of millions of units of work a second: GB/s, GFLOP/s, ...
};

// Runs all in turn, once in each round and each after `poison`, which must erase the results of
// earlier runs and, if runs are to start on an idle device, wait for it. Adds kContestRounds times
// to each contender's. False, and a line on stderr, as soon as a result is wrong.
bool RunContest(std::vector<Contender>& contenders, const std::function<void()>& poison);

// Work that can be put on any stream.
struct StreamTask {
  std::function<void()> poison;
  std::function<void(cudaStream_t)> run;
  std::function<bool()> is_right;
};

// Runs both at the same time, `rounds` times, on two streams that wait neither for each other nor
// for the default stream. False, and a line on stderr that has the name, as soon as a result is
// wrong.
bool RunSideBySide(const std::string& name, const StreamTask& left, const StreamTask& right,
                   int rounds);

// Lets the current device's pool keep memory that is freed on a stream for later allocations. By
// default it is returned to the system at each synchronisation, which costs more than a kernel.
void KeepPooledMemory();

// Device 0, the runtime, and today in UTC: "NAME, CUDA runtime 13.0, 2026-01-31".
std::string Machine();

}  // namespace lab
