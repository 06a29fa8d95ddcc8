// Wrong: right results, by loops and by regions in regions; no task is made.

#include <omp.h>

#include <algorithm>
#include <numeric>
#include <vector>

#include "labs/openmp_tasks/tasks.h"

namespace {

// The columns in which a queen of the next row would be attacked, one bit each: by a queen of its
// column, and along the two diagonals.
struct Attacked {
  std::uint32_t columns = 0;
  std::uint32_t down_left = 0;
  std::uint32_t down_right = 0;

  std::uint32_t Any() const { return columns | down_left | down_right; }
  Attacked With(std::uint32_t queen) const {
    return {columns | queen, (down_left | queen) >> 1, (down_right | queen) << 1};
  }
};

using Rows = std::span<const std::uint32_t>;

// The squares of `row` where a queen may stand.
std::uint32_t FreeSquares(Rows blocked, std::size_t row, const Attacked& attacked) {
  const std::uint32_t all = (std::uint32_t{1} << blocked.size()) - 1;
  return all & ~(attacked.Any() | blocked[row]);
}

std::uint32_t LowestBit(std::uint32_t bits) { return bits & -bits; }

// In how many ways `row` and those below it can be filled.
std::uint64_t Count(Rows blocked, std::size_t row, const Attacked& attacked) {
  if (row == blocked.size()) return 1;
  std::uint64_t ways = 0;
  for (auto free = FreeSquares(blocked, row, attacked); free != 0; free &= free - 1) {
    ways += Count(blocked, row + 1, attacked.With(LowestBit(free)));
  }
  return ways;
}

void Sort(std::span<const int> in, std::span<int> out, std::span<int> spare, int levels) {
  if (levels == 0) {
    std::copy(in.begin(), in.end(), out.begin());
    std::sort(out.begin(), out.end());
    return;
  }
  const std::size_t half = in.size() / 2;
#pragma omp parallel sections num_threads(2)
  {
#pragma omp section
    Sort(in.first(half), spare.first(half), out.first(half), levels - 1);
#pragma omp section
    Sort(in.subspan(half), spare.subspan(half), out.subspan(half), levels - 1);
  }
  const auto middle = spare.begin() + half;
  std::merge(spare.begin(), middle, middle, spare.end(), out.begin());
}

// The cells of one block: characters of a and b, and what borders them.
struct Block {
  std::span<const char> a;
  std::span<const char> b;
  int* left;    // a.size() cells: of the column before, and then of the last column
  int* above;   // b.size() cells: of the row before, and then of the last row
  int* corner;  // the cell before both, and then the last one of all
};

void Fill(const Block& block) {
  int diagonal = *block.corner;
  for (std::size_t i = 0; i < block.a.size(); ++i) {
    const int first = block.left[i];
    int left = first;
    for (std::size_t j = 0; j < block.b.size(); ++j) {
      const int above = block.above[j];
      const int replaced = diagonal + (block.a[i] != block.b[j]);
      left = std::min(std::min(above + 1, replaced), left + 1);
      diagonal = above;
      block.above[j] = left;
    }
    block.left[i] = left;
    diagonal = first;
  }
  *block.corner = block.above[block.b.size() - 1];
}

}  // namespace

std::uint64_t CountQueens(std::span<const std::uint32_t> blocked) {
  if (blocked.empty()) return 1;
  std::uint64_t ways = 0;
#pragma omp parallel for schedule(dynamic) reduction(+ : ways)
  for (std::size_t column = 0; column < blocked.size(); ++column) {
    const std::uint32_t queen = std::uint32_t{1} << column;
    if ((blocked[0] & queen) == 0) ways += Count(blocked, 1, Attacked().With(queen));
  }
  return ways;
}

void SortNumbers(std::span<const int> in, std::span<int> out) {
  std::vector<int> spare(in.size());
  omp_set_max_active_levels(3);
  Sort(in, out, spare, 3);
}

int EditDistance(std::span<const char> a, std::span<const char> b, std::size_t block) {
  if (a.empty() || b.empty()) return static_cast<int>(a.size() + b.size());
  std::vector<int> left(a.size());
  std::vector<int> above(b.size());
  std::iota(left.begin(), left.end(), 1);
  std::iota(above.begin(), above.end(), 1);
  const std::size_t rows = (a.size() - 1) / block + 1;
  const std::size_t columns = (b.size() - 1) / block + 1;
  std::vector<int> corners(rows + columns);
  for (std::size_t k = 0; k < rows; ++k) corners[rows - k] = static_cast<int>(k * block);
  for (std::size_t k = 0; k < columns; ++k) corners[rows + k] = static_cast<int>(k * block);
  for (std::size_t diagonal = 0; diagonal < rows + columns - 1; ++diagonal) {
    const std::size_t top = diagonal < columns ? 0 : diagonal - columns + 1;
    const std::size_t last = std::min(diagonal, rows - 1);
#pragma omp parallel for schedule(dynamic)
    for (std::size_t row = top; row <= last; ++row) {
      const std::size_t column = diagonal - row;
      const std::size_t i = row * block;
      const std::size_t j = column * block;
      const Block next{a.subspan(i, std::min(block, a.size() - i)),
                       b.subspan(j, std::min(block, b.size() - j)), &left[i], &above[j],
                       &corners[rows + column - row]};
      Fill(next);
    }
  }
  return above.back();
}
