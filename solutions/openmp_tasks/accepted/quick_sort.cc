// Right: a quick sort that knows when to give up.

#include <algorithm>
#include <numeric>
#include <vector>

#include "labs/openmp_tasks/tasks.h"

namespace {

// Rows of queens that are placed by tasks: the third row of a board of 13 gives about 1000 tasks of
// some 10 microseconds each.
constexpr std::size_t kTaskRows = 3;

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

// The same with a task for each queen of the first rows.
std::uint64_t CountByTasks(Rows blocked, std::size_t row, const Attacked& attacked) {
  if (row >= std::min(kTaskRows, blocked.size())) return Count(blocked, row, attacked);
  std::uint64_t ways = 0;
  for (auto free = FreeSquares(blocked, row, attacked); free != 0; free &= free - 1) {
    const Attacked next = attacked.With(LowestBit(free));
#pragma omp task shared(ways) firstprivate(next)
    {
      const std::uint64_t below = CountByTasks(blocked, row + 1, next);
#pragma omp atomic
      ways += below;
    }
  }
#pragma omp taskwait
  return ways;
}

constexpr std::ptrdiff_t kSortAlone = 1 << 13;

// Sorts [first, last). After `passes` bad pivots the standard library takes over: n log n, always.
void QuickSort(int* first, int* last, int passes) {
  while (last - first > kSortAlone && passes-- > 0) {
    const std::ptrdiff_t step = (last - first) / 8;
    int sample[7];
    for (int i = 0; i < 7; ++i) sample[i] = first[(i + 1) * step];
    std::sort(sample, sample + 7);
    const int pivot = sample[3];
    int* const less = std::partition(first, last, [pivot](int x) { return x < pivot; });
    int* const equal = std::partition(less, last, [pivot](int x) { return x == pivot; });
    // What is equal to the pivot is in place. The smaller side for another task, the larger one
    // for this loop.
    if (less - first < last - equal) {
#pragma omp task
      QuickSort(first, less, passes);
      first = equal;
    } else {
#pragma omp task
      QuickSort(equal, last, passes);
      last = less;
    }
  }
  std::sort(first, last);
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
  std::uint64_t ways = 0;
#pragma omp parallel
#pragma omp single
  ways = CountByTasks(blocked, 0, {});
  return ways;
}

void SortNumbers(std::span<const int> in, std::span<int> out) {
  std::copy(in.begin(), in.end(), out.begin());
#pragma omp parallel
#pragma omp single
  QuickSort(out.data(), out.data() + out.size(), 40);
}

int EditDistance(std::span<const char> a, std::span<const char> b, std::size_t block) {
  if (a.empty() || b.empty()) return static_cast<int>(a.size() + b.size());
  // The borders of the blocks that are filled next. A corner stands for its diagonal: the blocks
  // (0, k), (1, k + 1), ... or (k, 0), (k + 1, 1), ... hand it on, one to the next.
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
  for (std::size_t i = 0; i < a.size(); i += block) {
    for (std::size_t j = 0; j < b.size(); j += block) {
      const Block next{a.subspan(i, std::min(block, a.size() - i)),
                       b.subspan(j, std::min(block, b.size() - j)), &left[i], &above[j],
                       &corners[rows + j / block - i / block]};
#pragma omp task firstprivate(next) depend(inout : next.left[0], next.above[0])
      Fill(next);
    }
  }
  return above.back();
}
