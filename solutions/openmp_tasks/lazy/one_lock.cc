// A task for each queen of the first row, each run of numbers and each block, all under one lock.

#include <algorithm>
#include <numeric>
#include <vector>

#include "labs/openmp_tasks/tasks.h"

namespace {

constexpr std::size_t kRun = 4096;

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

// In how many ways a board can be filled whose first queen stands in this column.
std::uint64_t CountFrom(Rows blocked, std::size_t column) {
  const std::uint32_t queen = std::uint32_t{1} << column;
  return blocked[0] & queen ? 0 : Count(blocked, 1, queen, queen >> 1, queen << 1);
}

void SortAlone(std::span<const int> in, std::span<int> out) {
  std::copy(in.begin(), in.end(), out.begin());
  std::sort(out.begin(), out.end());
}

// Fills a block of the table: left[i] is the cell before row i, above[j] that over column j, and
// the corner is the cell before both. Leaves the last column and the last row there.
void Fill(std::span<const char> a, std::span<const char> b, int corner, int* left, int* above) {
  for (std::size_t i = 0; i < a.size(); ++i) {
    int diagonal = corner;
    corner = left[i];
    for (std::size_t j = 0; j < b.size(); ++j) {
      const int over = above[j];
      above[j] = std::min(std::min(over, left[i]) + 1, diagonal + (a[i] != b[j]));
      left[i] = above[j];
      diagonal = over;
    }
  }
}

}  // namespace

std::uint64_t CountQueens(std::span<const std::uint32_t> blocked) {
  if (blocked.empty()) return 1;
  std::uint64_t ways = 0;
#pragma omp parallel
#pragma omp single
  for (std::size_t column = 0; column < blocked.size(); ++column) {
#pragma omp task shared(ways)
#pragma omp critical
    ways += CountFrom(blocked, column);
  }
  return ways;
}

void SortNumbers(std::span<const int> in, std::span<int> out) {
  const std::size_t n = in.size();
  std::size_t sorted = 0;  // so many numbers of `out` are sorted
#pragma omp parallel
#pragma omp single
  for (std::size_t begin = 0; begin < n; begin += kRun) {
#pragma omp task shared(sorted)
#pragma omp critical
    {
      const std::size_t size = std::min(kRun, n - sorted);
      SortAlone(in.subspan(sorted, size), out.subspan(sorted, size));
      sorted += size;
    }
  }
  for (std::size_t run = kRun; run < n; run *= 2) {
#pragma omp parallel
#pragma omp single
    for (std::size_t begin = 0; begin + run < n; begin += 2 * run) {
#pragma omp task
#pragma omp critical
      std::inplace_merge(out.begin() + begin, out.begin() + begin + run,
                         out.begin() + std::min(begin + 2 * run, n));
    }
  }
}

int EditDistance(std::span<const char> a, std::span<const char> b, std::size_t block) {
  if (a.empty() || b.empty()) return static_cast<int>(a.size() + b.size());
  block = std::min(block, std::max(a.size(), b.size()));
  std::vector<int> left(a.size());
  std::vector<int> above(b.size());
  std::iota(left.begin(), left.end(), 1);
  std::iota(above.begin(), above.end(), 1);
  const std::size_t last_row = (a.size() - 1) / block;
  std::vector<int> corners(last_row + (b.size() - 1) / block + 1);  // one for each diagonal
  for (std::size_t i = 0; i <= last_row; ++i) corners[last_row - i] = static_cast<int>(i * block);
  for (std::size_t j = 0; j * block < b.size(); ++j) {
    corners[last_row + j] = static_cast<int>(j * block);
  }
#pragma omp parallel
#pragma omp single
  for (std::size_t i = 0; i < a.size(); i += block) {
    for (std::size_t j = 0; j < b.size(); j += block) {
      int* const rows = &left[i];
      int* const columns = &above[j];
      int* const corner = &corners[last_row + j / block - i / block];
#pragma omp task depend(inout : rows[0], columns[0])
#pragma omp critical
      {
        const std::size_t height = std::min(block, a.size() - i);
        const std::size_t width = std::min(block, b.size() - j);
        Fill(a.subspan(i, height), b.subspan(j, width), *corner, rows, columns);
        *corner = columns[width - 1];
      }
    }
  }
  return above.back();
}
