// Right: loops whose iterations become tasks, and groups of tasks that are waited for as a whole.

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

// Below this size a task would cost more than it gains.
constexpr std::size_t kSortAlone = 1 << 13;

void MergeSort(std::span<int> numbers, std::span<int> spare) {
  if (numbers.size() <= kSortAlone) {
    std::sort(numbers.begin(), numbers.end());
    return;
  }
  const std::size_t half = numbers.size() / 2;
#pragma omp taskgroup
  {
#pragma omp task
    MergeSort(numbers.first(half), spare.first(half));
#pragma omp task
    MergeSort(numbers.subspan(half), spare.subspan(half));
  }
  std::copy(numbers.begin(), numbers.end(), spare.begin());
  const auto middle = spare.begin() + half;
  std::merge(spare.begin(), middle, middle, spare.end(), numbers.begin());
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
  std::vector<Attacked> starts{{}};
  std::size_t row = 0;
  for (; row < std::min<std::size_t>(blocked.size(), 3); ++row) {
    std::vector<Attacked> longer;
    for (const Attacked& start : starts) {
      for (auto free = FreeSquares(blocked, row, start); free != 0; free &= free - 1) {
        longer.push_back(start.With(LowestBit(free)));
      }
    }
    starts = longer;
  }
  std::uint64_t ways = 0;
#pragma omp parallel
#pragma omp single
#pragma omp taskloop grainsize(16)
  for (std::size_t i = 0; i < starts.size(); ++i) {
    const std::uint64_t below = Count(blocked, row, starts[i]);
#pragma omp atomic
    ways += below;
  }
  return ways;
}

void SortNumbers(std::span<const int> in, std::span<int> out) {
  std::copy(in.begin(), in.end(), out.begin());
  std::vector<int> spare(in.size());
#pragma omp parallel
#pragma omp single
  MergeSort(out, spare);
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
#pragma omp parallel
#pragma omp single
  for (std::size_t diagonal = 0; diagonal < rows + columns - 1; ++diagonal) {
    const std::size_t first = diagonal < columns ? 0 : diagonal - columns + 1;
    const std::size_t last = std::min(diagonal, rows - 1);
#pragma omp taskloop grainsize(1)
    for (std::size_t row = first; row <= last; ++row) {
      const std::size_t i = row * block;
      const std::size_t j = (diagonal - row) * block;
      Fill({a.subspan(i, std::min(block, a.size() - i)),
            b.subspan(j, std::min(block, b.size() - j)), &left[i], &above[j],
            &corners[rows + diagonal - 2 * row]});
    }
  }
  return above.back();
}
