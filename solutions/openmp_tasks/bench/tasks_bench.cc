// Times the reference's search, sort and wavefront beside oneTBB, the standard library and one
// thread.

#include <tbb/blocked_range.h>
#include <tbb/flow_graph.h>
#include <tbb/parallel_for.h>
#include <tbb/parallel_reduce.h>
#include <tbb/parallel_sort.h>
#include <tbb/task_group.h>

#include <algorithm>
#include <atomic>
#include <execution>
#include <memory>
#include <numeric>
#include <string>
#include <vector>

#include "common/benchmark/host.h"
#include "labs/openmp_tasks/tasks.h"

namespace {

using Rows = std::vector<std::uint32_t>;
using Ints = std::vector<int>;
using Text = std::vector<char>;

// The same numbers in each run.
class Numbers {
 public:
  std::uint32_t Next() {
    state_ = state_ * 6364136223846793005 + 1442695040888963407;
    return static_cast<std::uint32_t>(state_ >> 33);
  }

 private:
  std::uint64_t state_ = 2026;
};

// The first rows of a board, with a queen in each.
struct Placed {
  std::size_t row = 0;
  std::uint32_t columns = 0;
  std::uint32_t left = 0;
  std::uint32_t right = 0;

  std::uint32_t Free(const Rows& blocked) const {
    return ((1u << blocked.size()) - 1) & ~(columns | left | right | blocked[row]);
  }
  Placed With(std::uint32_t queen) const {
    return {row + 1, columns | queen, (left | queen) << 1, (right | queen) >> 1};
  }
};

std::uint64_t Ways(const Rows& blocked, const Placed& placed) {
  if (placed.row == blocked.size()) return 1;
  std::uint64_t ways = 0;
  for (std::uint32_t free = placed.Free(blocked); free != 0; free &= free - 1) {
    ways += Ways(blocked, placed.With(free & -free));
  }
  return ways;
}

constexpr std::size_t kTaskRows = 3;

std::uint64_t WaysByTaskGroups(const Rows& blocked, const Placed& placed) {
  if (placed.row == kTaskRows) return Ways(blocked, placed);
  std::atomic<std::uint64_t> ways = 0;
  tbb::task_group tasks;
  for (std::uint32_t free = placed.Free(blocked); free != 0; free &= free - 1) {
    const Placed next = placed.With(free & -free);
    tasks.run([&blocked, &ways, next] { ways += WaysByTaskGroups(blocked, next); });
  }
  tasks.wait();
  return ways;
}

void Collect(const Rows& blocked, const Placed& placed, std::vector<Placed>& found) {
  if (placed.row == kTaskRows) return found.push_back(placed);
  for (std::uint32_t free = placed.Free(blocked); free != 0; free &= free - 1) {
    Collect(blocked, placed.With(free & -free), found);
  }
}

std::uint64_t WaysByReduction(const Rows& blocked) {
  std::vector<Placed> starts;
  Collect(blocked, {}, starts);
  return tbb::parallel_reduce(
      tbb::blocked_range<std::size_t>(0, starts.size()), std::uint64_t{0},
      [&](const tbb::blocked_range<std::size_t>& range, std::uint64_t ways) {
        for (std::size_t i = range.begin(); i < range.end(); ++i) ways += Ways(blocked, starts[i]);
        return ways;
      },
      std::plus<>());
}

bool CompareCountQueens() {
  const Rows blocked(13, 0);
  std::uint64_t ways = 0;
  const auto entry = [&](const char* name, auto count) {
    return lab::Candidate{name, 0, [&ways, count] { ways = count(); },
                          [&] { return ways == 73'712; }};
  };
  const std::vector<lab::Candidate> candidates = {
      entry("CountQueens", [&] { return CountQueens(blocked); }),
      entry("tbb::task_group", [&] { return WaysByTaskGroups(blocked, {}); }),
      entry("tbb::parallel_reduce over 3 queens", [&] { return WaysByReduction(blocked); }),
      entry("one thread", [&] { return Ways(blocked, {}); }),
  };
  return lab::CompareOnHost("the ways of 13 queens", candidates);
}

// Pieces of different sizes, in turn random, equal and ascending.
Ints Irregular(std::size_t n) {
  Numbers random;
  Ints numbers(n);
  std::size_t left = 0;
  int kind = 0;
  for (int& number : numbers) {
    if (left-- == 0) {
      left = random.Next() % (n / 8);
      kind = (kind + 1) % 3;
      number = static_cast<int>(random.Next() >> 8);
    } else if (kind == 0) {
      number = static_cast<int>(random.Next());
    } else {
      number = (&number)[-1] + (kind == 1 ? 0 : 1);
    }
  }
  return numbers;
}

Ints AnyNumbers(std::size_t n) {
  Numbers random;
  Ints numbers(n);
  for (int& number : numbers) number = static_cast<int>(random.Next());
  return numbers;
}

bool CompareSortNumbers(const std::string& job, const Ints& in) {
  Ints want = in;
  std::sort(want.begin(), want.end());
  Ints out(in.size());
  const double bytes = 2.0 * static_cast<double>(in.size()) * sizeof(int);
  const auto entry = [&](const char* name, auto sort) {
    const auto run = [&in, &out, sort] {
      std::copy(in.begin(), in.end(), out.begin());
      sort();
    };
    return lab::Candidate{name, bytes, run, [&] { return out == want; }};
  };
  const std::vector<lab::Candidate> candidates = {
      {"SortNumbers", bytes, [&] { SortNumbers(in, out); }, [&] { return out == want; }},
      entry("tbb::parallel_sort", [&] { tbb::parallel_sort(out.begin(), out.end()); }),
      entry("std::sort(par)", [&] { std::sort(std::execution::par, out.begin(), out.end()); }),
      entry("std::sort", [&] { std::sort(out.begin(), out.end()); }),
  };
  return lab::CompareOnHost(job, candidates);
}

// A table of edit distances in blocks of which only the borders are kept.
class Blocks {
 public:
  Blocks(const Text& a, const Text& b, std::size_t size)
      : rows((a.size() + size - 1) / size),
        columns((b.size() + size - 1) / size),
        a_(a),
        b_(b),
        size_(size),
        left_(a.size()),
        above_(b.size()),
        corners_(rows + columns) {
    std::iota(left_.begin(), left_.end(), 1);
    std::iota(above_.begin(), above_.end(), 1);
    for (std::size_t k = 0; k < rows; ++k) corners_[rows - k] = static_cast<int>(k * size);
    for (std::size_t k = 0; k < columns; ++k) corners_[rows + k] = static_cast<int>(k * size);
  }

  // After the blocks on the left and above.
  void Fill(std::size_t row, std::size_t column) {
    const std::size_t end_i = std::min((row + 1) * size_, a_.size());
    const std::size_t begin_j = column * size_;
    const std::size_t end_j = std::min(begin_j + size_, b_.size());
    int first = corners_[rows + column - row];
    for (std::size_t i = row * size_; i < end_i; ++i) {
      int diagonal = first;
      int left = first = left_[i];
      for (std::size_t j = begin_j; j < end_j; ++j) {
        const int replaced = diagonal + (a_[i] != b_[j]);
        diagonal = above_[j];
        left = std::min(std::min(diagonal + 1, replaced), left + 1);
        above_[j] = left;
      }
      left_[i] = left;
    }
    corners_[rows + column - row] = above_[end_j - 1];
  }

  int Distance() const { return above_.back(); }

  const std::size_t rows;
  const std::size_t columns;

 private:
  const Text& a_;
  const Text& b_;
  const std::size_t size_;
  Ints left_;
  Ints above_;
  Ints corners_;
};

int DistanceByFlowGraph(const Text& a, const Text& b, std::size_t size) {
  using Node = tbb::flow::continue_node<tbb::flow::continue_msg>;
  Blocks blocks(a, b, size);
  tbb::flow::graph graph;
  std::vector<std::unique_ptr<Node>> nodes;
  for (std::size_t row = 0; row < blocks.rows; ++row) {
    for (std::size_t column = 0; column < blocks.columns; ++column) {
      const auto fill = [&blocks, row, column](tbb::flow::continue_msg) {
        blocks.Fill(row, column);
      };
      nodes.push_back(std::make_unique<Node>(graph, fill));
      if (column > 0) tbb::flow::make_edge(*nodes.end()[-2], *nodes.back());
      if (row > 0) tbb::flow::make_edge(*nodes.end()[-1 - blocks.columns], *nodes.back());
    }
  }
  nodes.front()->try_put({});
  graph.wait_for_all();
  return blocks.Distance();
}

int DistanceByDiagonals(const Text& a, const Text& b, std::size_t size) {
  Blocks blocks(a, b, size);
  for (std::size_t diagonal = 0; diagonal + 1 < blocks.rows + blocks.columns; ++diagonal) {
    const std::size_t first = diagonal < blocks.columns ? 0 : diagonal - blocks.columns + 1;
    const std::size_t last = std::min(diagonal, blocks.rows - 1);
    tbb::parallel_for(first, last + 1, [&](std::size_t row) { blocks.Fill(row, diagonal - row); });
  }
  return blocks.Distance();
}

int DistanceByOneThread(const Text& a, const Text& b, std::size_t size) {
  Blocks blocks(a, b, size);
  for (std::size_t row = 0; row < blocks.rows; ++row) {
    for (std::size_t column = 0; column < blocks.columns; ++column) blocks.Fill(row, column);
  }
  return blocks.Distance();
}

bool CompareEditDistance() {
  constexpr std::size_t kLength = 6000;  // as in the hidden test
  constexpr std::size_t kBlock = 256;
  Numbers random;
  Text a(kLength);
  Text b(kLength);
  for (char& letter : a) letter = static_cast<char>('a' + random.Next() % 4);
  for (char& letter : b) letter = static_cast<char>('a' + random.Next() % 4);
  // One block is the whole table, row by row.
  const int want = DistanceByOneThread(a, b, kLength);
  int distance = 0;
  const auto entry = [&](const char* name, auto find, std::size_t block) {
    return lab::Candidate{name, 0, [&, find, block] { distance = find(a, b, block); },
                          [&] { return distance == want; }};
  };
  const std::vector<lab::Candidate> candidates = {
      entry("EditDistance", EditDistance, kBlock),
      entry("tbb::flow::graph", DistanceByFlowGraph, kBlock),
      entry("tbb::parallel_for each diagonal", DistanceByDiagonals, kBlock),
      entry("one thread, in blocks", DistanceByOneThread, kBlock),
      entry("one thread, row by row", DistanceByOneThread, kLength),
  };
  return lab::CompareOnHost("the edit distance of 6000 letters, blocks of 256", candidates);
}

}  // namespace

int main() {
  constexpr std::size_t kNumbers = std::size_t{1} << 20;
  return CompareCountQueens() &&
                 CompareSortNumbers("2^20 numbers in irregular pieces", Irregular(kNumbers)) &&
                 CompareSortNumbers("2^20 random numbers", AnyNumbers(kNumbers)) &&
                 CompareEditDistance()
             ? 0
             : 1;
}
