// Right: each tile with its halo goes back and forth between two buffers; pieces of a row are swept
// by one function in all parts.

#include <omp.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <utility>

#include "labs/openmp_jacobi/jacobi.h"

namespace {

// Cells in memory, row by row: those of the whole plate, or a rectangle of them in a buffer.
template <typename Cell>
struct View {
  Cell* cells;
  std::size_t stride;      // from a cell to the one below
  std::size_t row = 0;     // of the first cell
  std::size_t column = 0;  // of the first cell

  Cell* At(std::size_t i, std::size_t j) const { return cells + (i - row) * stride + (j - column); }
};

// The cells of rows [top, bottom) and columns [left, right). There are some.
struct Rectangle {
  std::size_t top, bottom, left, right;
};

using Cells = std::unique_ptr<double[]>;

// Not touched yet: a page is placed near the thread that writes to it first.
Cells UntouchedCells(std::size_t n) { return std::make_unique_for_overwrite<double[]>(n); }

// One sweep of the cells [left, right) of row i, of which there are some.
void SweepRow(View<const double> from, View<double> to, PlateSize size, std::size_t i,
              std::size_t left, std::size_t right) {
  if (i == 0 || i + 1 == size.rows) {
    std::copy(from.At(i, left), from.At(i, right), to.At(i, left));
    return;
  }
  if (left == 0) *to.At(i, left++) = *from.At(i, 0);
  if (right == size.columns) {
    --right;
    *to.At(i, right) = *from.At(i, right);
  }
  const double* above = from.At(i - 1, left);
  const double* here = from.At(i, left);
  const double* below = from.At(i + 1, left);
  double* out = to.At(i, left);
#pragma omp simd
  for (std::size_t j = left; j < right; ++j) {
    const std::size_t k = j - left;
    out[k] = 0.25 * ((above[k] + below[k]) + ((here - 1)[k] + here[k + 1]));
  }
}

// One sweep of row i of the whole plate; returns the largest change.
double SweepRowAndCompare(const double* from, double* to, PlateSize size, std::size_t i) {
  SweepRow({from, size.columns}, {to, size.columns}, size, i, 0, size.columns);
  const double* before = from + i * size.columns;
  const double* after = to + i * size.columns;
  double change = 0;
#pragma omp simd reduction(max : change)
  for (std::size_t j = 0; j < size.columns; ++j) {
    change = std::max(change, std::abs(after[j] - before[j]));
  }
  return change;
}

void CopyCells(const double* from, double* to, std::size_t n) {
#pragma omp parallel for simd
  for (std::size_t i = 0; i < n; ++i) to[i] = from[i];
}

// Gives the inner cells of row i that have the colour, 0 for red, the means of their neighbours.
void UpdateColour(double* cells, PlateSize size, std::size_t i, std::size_t colour) {
  const double* above = cells + (i - 1) * size.columns;
  double* here = cells + i * size.columns;
  const double* below = cells + (i + 1) * size.columns;
  for (std::size_t j = 1 + (i + 1 + colour) % 2; j + 1 < size.columns; j += 2) {
    here[j] = 0.25 * ((above[j] + below[j]) + (here[j - 1] + here[j + 1]));
  }
}

// Sweeps for which a tile stays in the caches, and the tile's size. Two buffers with a halo of as
// many cells at each side take 350 KB, and the halo is a seventh of what is computed.
constexpr std::size_t kDepth = 8;
constexpr std::size_t kTileRows = 64;
constexpr std::size_t kTileColumns = 256;
constexpr std::size_t kBufferColumns = kTileColumns + 2 * kDepth;
constexpr std::size_t kBufferCells = (kTileRows + 2 * kDepth) * kBufferColumns;

// The tile with a halo of `width` cells, as far as the plate has them.
Rectangle WithHalo(Rectangle tile, std::size_t width, PlateSize size) {
  const auto minus = [&](std::size_t edge) { return edge - std::min(edge, width); };
  return {minus(tile.top), std::min(tile.bottom + width, size.rows), minus(tile.left),
          std::min(tile.right + width, size.columns)};
}

// Makes `depth` sweeps, 1 to kDepth, of one tile. Each sweep but the last one also computes those
// cells of the halo which the following ones need. `buffers` has room for 2 kBufferCells.
void AdvanceTile(const double* from, double* to, PlateSize size, Rectangle tile, std::size_t depth,
                 double* buffers) {
  const Rectangle room = WithHalo(tile, depth, size);
  View<const double> source{from, size.columns};
  for (std::size_t sweep = 1; sweep <= depth; ++sweep) {
    const Rectangle part = WithHalo(tile, depth - sweep, size);
    const View<double> target = sweep == depth ? View<double>{to, size.columns}
                                               : View<double>{buffers + sweep % 2 * kBufferCells,
                                                              kBufferColumns, room.top, room.left};
    for (std::size_t i = part.top; i < part.bottom; ++i) {
      SweepRow(source, target, size, i, part.left, part.right);
    }
    source = {target.cells, target.stride, target.row, target.column};
  }
}

// Room for the buffers of AdvanceTile.
Cells MakeBuffers() { return UntouchedCells(2 * kBufferCells); }

// The plates between which the passes over the whole plate go: from the input to one of two, then
// to the other one and back, so that the last one ends in the output.
class Passes {
 public:
  Passes(std::span<const double> before, std::span<double> after, std::size_t sweeps)
      : sweeps_(sweeps),
        count_((sweeps + kDepth - 1) / kDepth),
        spare_(count_ > 1 ? UntouchedCells(after.size()) : nullptr),
        before_(before.data()),
        after_(after.data()) {}

  std::size_t count() const { return count_; }
  std::size_t Depth(std::size_t pass) const { return std::min(kDepth, sweeps_ - pass * kDepth); }
  const double* From(std::size_t pass) const { return pass == 0 ? before_ : To(pass - 1); }
  double* To(std::size_t pass) const { return (count_ - pass) % 2 == 1 ? after_ : spare_.get(); }

 private:
  std::size_t sweeps_;
  std::size_t count_;
  Cells spare_;
  const double* before_;
  double* after_;
};

}  // namespace

void JacobiSweep(std::span<const double> before, std::span<double> after, PlateSize size) {
  if (before.empty()) return;
#pragma omp parallel for
  for (std::size_t i = 0; i < size.rows; ++i) {
    SweepRow({before.data(), size.columns}, {after.data(), size.columns}, size, i, 0, size.columns);
  }
}

std::size_t JacobiConverge(std::span<const double> before, std::span<double> after, PlateSize size,
                           double tolerance, std::span<double> changes) {
  const std::size_t rows = before.empty() ? 0 : size.rows;
  const Cells spare = UntouchedCells(before.size());
  const double* from = before.data();
  double* to = after.data();
  std::size_t sweeps = 0;
  for (bool done = changes.empty(); !done; done = done || sweeps == changes.size()) {
    double change = 0;
#pragma omp parallel for reduction(max : change)
    for (std::size_t i = 0; i < rows; ++i) {
      change = std::max(change, SweepRowAndCompare(from, to, size, i));
    }
    changes[sweeps++] = change;
    done = change <= tolerance;
    from = to;
    to = to == after.data() ? spare.get() : after.data();
  }
  if (from != after.data()) CopyCells(from, after.data(), after.size());
  return sweeps;
}

void RedBlackSweeps(std::span<double> plate, PlateSize size, std::size_t sweeps) {
  if (size.rows < 3 || size.columns < 3) return;
#pragma omp parallel
  for (std::size_t half = 0; half < 2 * sweeps; ++half) {
#pragma omp for
    for (std::size_t i = 1; i < size.rows - 1; ++i) {
      UpdateColour(plate.data(), size, i, half % 2);
    }
  }
}

void JacobiTiled(std::span<const double> before, std::span<double> after, PlateSize size,
                 std::size_t sweeps) {
  if (sweeps == 0) return CopyCells(before.data(), after.data(), before.size());
  const Passes passes(before, after, sweeps);
#pragma omp parallel
  {
    const Cells buffers = MakeBuffers();
    for (std::size_t pass = 0; pass < passes.count(); ++pass) {
#pragma omp for collapse(2)
      for (std::size_t top = 0; top < size.rows; top += kTileRows) {
        for (std::size_t left = 0; left < size.columns; left += kTileColumns) {
          const Rectangle tile{top, std::min(top + kTileRows, size.rows), left,
                               std::min(left + kTileColumns, size.columns)};
          AdvanceTile(passes.From(pass), passes.To(pass), size, tile, passes.Depth(pass),
                      buffers.get());
        }
      }
    }
  }
}

void JacobiTasks(std::span<const double> before, std::span<double> after, PlateSize size,
                 std::size_t sweeps) {
  if (sweeps == 0) return CopyCells(before.data(), after.data(), before.size());
  const Passes passes(before, after, sweeps);
  // An element for each band of rows and plate, and one before the first band and behind the last.
  const std::size_t bands = (size.rows + kTileRows - 1) / kTileRows;
  const auto marks = std::make_unique<int[]>(2 * (bands + 2));
#pragma omp parallel
#pragma omp single
  for (std::size_t pass = 0; pass < passes.count(); ++pass) {
    for (std::size_t band = 0; band < bands; ++band) {
      [[maybe_unused]] const int* read = &marks[pass % 2 * (bands + 2) + band];
      [[maybe_unused]] int* written = &marks[(pass + 1) % 2 * (bands + 2) + band + 1];
#pragma omp task depend(in : read[0], read[1], read[2]) depend(out : written[0]) shared(passes)
      {
        const Cells buffers = MakeBuffers();
        const std::size_t top = band * kTileRows;
        for (std::size_t left = 0; left < size.columns; left += kTileColumns) {
          const Rectangle tile{top, std::min(top + kTileRows, size.rows), left,
                               std::min(left + kTileColumns, size.columns)};
          AdvanceTile(passes.From(pass), passes.To(pass), size, tile, passes.Depth(pass),
                      buffers.get());
        }
      }
    }
  }
}
