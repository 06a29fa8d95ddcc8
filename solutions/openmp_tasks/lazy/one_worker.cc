// A team is made, but all the work is one task.

#include <algorithm>
#include <numeric>
#include <vector>

#include "labs/openmp_tasks/tasks.h"

namespace {

// Calls work() in one task of a whole team.
template <typename Work>
void RunAlone(const Work& work) {
#pragma omp parallel
#pragma omp single
#pragma omp task shared(work)
  work();
}

using Rows = std::span<const std::uint32_t>;

// In how many ways `row` and those below it can be filled, if queens attack these squares of it.
std::uint64_t Count(Rows blocked, std::size_t row, std::uint32_t columns, std::uint32_t left,
                    std::uint32_t right) {
  if (row == blocked.size()) return 1;
  const std::uint32_t all = (std::uint32_t{1} << blocked.size()) - 1;
  std::uint64_t ways = 0;
  for (auto free = all & ~(columns | left | right | blocked[row]); free != 0; free &= free - 1) {
    const std::uint32_t queen = free & -free;
    ways += Count(blocked, row + 1, columns | queen, (left | queen) >> 1, (right | queen) << 1);
  }
  return ways;
}

void SortAlone(std::span<const int> in, std::span<int> out) {
  std::copy(in.begin(), in.end(), out.begin());
  std::sort(out.begin(), out.end());
}

int EditDistanceAlone(std::span<const char> a, std::span<const char> b) {
  std::vector<int> row(b.size() + 1);
  std::iota(row.begin(), row.end(), 0);
  for (std::size_t i = 0; i < a.size(); ++i) {
    int diagonal = row[0]++;
    for (std::size_t j = 0; j < b.size(); ++j) {
      const int above = row[j + 1];
      row[j + 1] = std::min(std::min(above, row[j]) + 1, diagonal + (a[i] != b[j]));
      diagonal = above;
    }
  }
  return row[b.size()];
}

}  // namespace

std::uint64_t CountQueens(std::span<const std::uint32_t> blocked) {
  std::uint64_t ways = 0;
  RunAlone([&] { ways = Count(blocked, 0, 0, 0, 0); });
  return ways;
}

void SortNumbers(std::span<const int> in, std::span<int> out) {
  RunAlone([&] { SortAlone(in, out); });
}

int EditDistance(std::span<const char> a, std::span<const char> b, std::size_t) {
  int distance = 0;
  RunAlone([&] { distance = EditDistanceAlone(a, b); });
  return distance;
}
