// Reads names of rows, one a line.  Launches each once and prints its elapsed time and its CPU time
// in nanoseconds, or wrong-result or unknown-row.  bench.py runs a process for each contender and
// interleaves their launches.
#include <time.h>

#include <iostream>
#include <map>
#include <memory>
#include <string>

#include "common/cudasim/bench/rows.h"

namespace {

constexpr int kElements = 1 << 22;

std::unique_ptr<Row> MakeRow(const std::string& name) {
  if (name == "vecadd") return std::make_unique<AddVectorsRow>(kElements);
  if (name == "reduction") return std::make_unique<SumBlocksRow>(kElements);
  if (name == "matmul-256") return std::make_unique<MultiplyTilesRow>(256);
  if (name == "matmul-512") return std::make_unique<MultiplyTilesRow>(512);
  if (name == "histogram") return std::make_unique<CountBytesRow>(kElements);
  return nullptr;
}

long long ReadClock(clockid_t clock) {
  timespec now{};
  clock_gettime(clock, &now);
  return now.tv_sec * 1'000'000'000ll + now.tv_nsec;
}

// Times one launch, in nanoseconds: elapsed time, and CPU time of all threads of the process.
std::string TimeLaunch(Row& row) {
  const long long cpu = ReadClock(CLOCK_PROCESS_CPUTIME_ID);
  const long long elapsed = ReadClock(CLOCK_MONOTONIC);
  row.Launch();
  (void)cudaDeviceSynchronize();
  return std::to_string(ReadClock(CLOCK_MONOTONIC) - elapsed) + " " +
         std::to_string(ReadClock(CLOCK_PROCESS_CPUTIME_ID) - cpu);
}

}  // namespace

int main() {
  std::map<std::string, std::unique_ptr<Row>> rows;
  for (std::string name; std::getline(std::cin, name);) {
    std::unique_ptr<Row>& row = rows[name];
    if (!row) row = MakeRow(name);
    if (!row) {
      std::cout << "unknown-row" << std::endl;
      continue;
    }
    row->Clear();
    const std::string times = TimeLaunch(*row);
    if (row->IsRight()) {
      std::cout << times << std::endl;
    } else {
      std::cout << "wrong-result" << std::endl;
    }
  }
}
