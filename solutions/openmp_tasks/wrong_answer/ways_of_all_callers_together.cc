// Wrong: all calls count in the same atomic variable, also those that run at the same time.

#include <algorithm>
#include <atomic>
#include <memory>
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

// Below these sizes a task would cost more than it gains.
constexpr std::size_t kSortAlone = 1 << 12;
constexpr std::size_t kMergeAlone = 1 << 14;

// Merges without a branch on the values, which could not be predicted. What is in order already, as
// in sorted input, is only copied. There must be numbers in `a`.
void MergeAlone(std::span<const int> a, std::span<const int> b, int* out) {
  std::size_t i = 0;
  std::size_t j = 0;
  const bool in_order = b.empty() || a.back() <= b.front();
  while (!in_order && i < a.size() && j < b.size()) {
    const bool from_b = b[j] < a[i];
    *out++ = from_b ? b[j] : a[i];
    i += !from_b;
    j += from_b;
  }
  std::copy(b.begin() + j, b.end(), std::copy(a.begin() + i, a.end(), out));
}

// Splits the longer input in the middle, the other where the same value belongs: so each half gets
// at least a quarter of the numbers, whatever they are.
void Merge(std::span<const int> a, std::span<const int> b, int* out) {
  if (a.size() < b.size()) std::swap(a, b);
  if (a.size() + b.size() <= kMergeAlone) return MergeAlone(a, b, out);
  const std::size_t i = a.size() / 2;
  const std::size_t j = std::lower_bound(b.begin(), b.end(), a[i]) - b.begin();
#pragma omp task
  Merge(a.first(i), b.first(j), out);
  Merge(a.subspan(i), b.subspan(j), out + i + j);
#pragma omp taskwait
}

// Makes the tasks that sort `in` into `out`; `spare` is as large and holds anything. Nobody waits:
// who has nothing to do takes a task of any branch, however uneven these are.
void MergeSort(std::span<const int> in, std::span<int> out, std::span<int> spare) {
  if (in.size() <= kSortAlone) {
#pragma omp task depend(out : *out.data())
    {
      std::copy(in.begin(), in.end(), out.begin());
      if (!std::is_sorted(out.begin(), out.end())) std::sort(out.begin(), out.end());
    }
    return;
  }
  const std::size_t half = in.size() / 2;
  const std::span<int> a = spare.first(half);
  const std::span<int> b = spare.subspan(half);
  MergeSort(in.first(half), a, out.first(half));
  MergeSort(in.subspan(half), b, out.subspan(half));
#pragma omp task depend(in : *a.data(), *b.data()) depend(out : *out.data())
  Merge(a, b, out.data());
}

// The cells of one block: characters of a and b, and what borders them. A cell holds how many edits
// are saved on the way there, against deleting all of a and inserting all of b: two by a character
// that stays, one by a character that is replaced. So the first row and column are 0, and what a
// cell takes from the one on its left, for which it must wait, it takes as it is.
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
      const int kept = diagonal + (block.a[i] == block.b[j] ? 2 : 1);
      left = std::max(std::max(above, kept), left);
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
  static std::atomic<std::uint64_t> ways;
  ways = 0;
#pragma omp parallel
#pragma omp single
  ways += CountByTasks(blocked, 0, {});
  return ways;
}

void SortNumbers(std::span<const int> in, std::span<int> out) {
  const auto spare = std::make_unique_for_overwrite<int[]>(in.size());
#pragma omp parallel
#pragma omp single
  MergeSort(in, out, {spare.get(), in.size()});
}

int EditDistance(std::span<const char> a, std::span<const char> b, std::size_t block) {
  if (a.empty() || b.empty()) return static_cast<int>(a.size() + b.size());
  // The borders of the blocks that are filled next. A corner stands for its diagonal: the blocks
  // (0, k), (1, k + 1), ... or (k, 0), (k + 1, 1), ... hand it on, one to the next.
  std::vector<int> left(a.size());
  std::vector<int> above(b.size());
  const std::size_t last_row = (a.size() - 1) / block;
  const std::size_t last_column = (b.size() - 1) / block;
  std::vector<int> corners(last_row + last_column + 1);
#pragma omp parallel
#pragma omp single
  for (std::size_t i = 0; i < a.size(); i += block) {
    for (std::size_t j = 0; j < b.size(); j += block) {
      const Block next{a.subspan(i, std::min(block, a.size() - i)),
                       b.subspan(j, std::min(block, b.size() - j)), &left[i], &above[j],
                       &corners[last_row + j / block - i / block]};
#pragma omp task firstprivate(next) depend(inout : next.left[0], next.above[0])
      Fill(next);
    }
  }
  return static_cast<int>(a.size() + b.size()) - above.back();
}
