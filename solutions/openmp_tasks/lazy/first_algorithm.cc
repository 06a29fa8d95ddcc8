// The problem is split once, at the top: never more than two tasks.

#include <algorithm>
#include <numeric>
#include <vector>

#include "labs/openmp_tasks/tasks.h"

namespace {

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
  const std::size_t n = blocked.size();
  std::uint64_t low = 0;
  std::uint64_t high = 0;
#pragma omp parallel
#pragma omp single
  {
#pragma omp task shared(low)
    for (std::size_t column = 0; column < n / 2; ++column) low += CountFrom(blocked, column);
#pragma omp task shared(high)
    for (std::size_t column = n / 2; column < n; ++column) high += CountFrom(blocked, column);
  }
  return low + high;
}

void SortNumbers(std::span<const int> in, std::span<int> out) {
  const std::size_t half = in.size() / 2;
#pragma omp parallel
#pragma omp single
  {
#pragma omp task
    SortAlone(in.first(half), out.first(half));
#pragma omp task
    SortAlone(in.subspan(half), out.subspan(half));
  }
  std::inplace_merge(out.begin(), out.begin() + half, out.end());
}

int EditDistance(std::span<const char> a, std::span<const char> b, std::size_t) {
  if (a.empty() || b.empty()) return static_cast<int>(a.size() + b.size());
  std::vector<int> left(a.size());
  std::vector<int> above(b.size());
  std::iota(left.begin(), left.end(), 1);
  std::iota(above.begin(), above.end(), 1);
  const std::size_t n = a.size() / 2;
  const std::size_t m = b.size() / 2;
  const int left_corner = static_cast<int>(n);
  const int upper_corner = static_cast<int>(m);
#pragma omp parallel
#pragma omp single
  {
    Fill(a.first(n), b.first(m), 0, left.data(), above.data());
    const int middle = n == 0 ? upper_corner : m == 0 ? left_corner : above[m - 1];
#pragma omp task shared(left, above)
    Fill(a.first(n), b.subspan(m), upper_corner, left.data(), above.data() + m);
#pragma omp task shared(left, above)
    Fill(a.subspan(n), b.first(m), left_corner, left.data() + n, above.data());
#pragma omp taskwait
    Fill(a.subspan(n), b.subspan(m), middle, left.data() + n, above.data() + m);
  }
  return above.back();
}
