#pragma once

// Plates of the hidden tests, and what must become of them: by plain serial loops.
//
// The first test of each suite makes all its calls before it looks at an answer: the first one that
// is wrong would end the suite, and what the race checker sees of it may take several calls.

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "common/lab/testing/inputs.h"
#include "labs/openmp_jacobi/jacobi.h"

namespace openmp_jacobi {

using Cells = std::vector<double>;

inline constexpr int kMaxThreads = 8;
inline constexpr double kInfinity = std::numeric_limits<double>::infinity();

struct Plate {
  PlateSize size;
  Cells cells;

  double& At(std::size_t i, std::size_t j) { return cells[i * size.columns + j]; }
};

inline std::size_t Count(PlateSize size) { return size.rows * size.columns; }

inline std::string Text(PlateSize size) {
  return std::to_string(size.rows) + " x " + std::to_string(size.columns);
}

inline Plate ConstantPlate(PlateSize size, double value) {
  return {size, Cells(Count(size), value)};
}

inline Plate RandomPlate(lab::Random& random, PlateSize size) {
  return {size, random.Doubles(Count(size), -100, 100)};
}

// The value of a cell rises evenly from row to row and from column to column, by whole numbers:
// each inner cell is exactly the mean of its neighbours.
inline Plate LinearPlate(PlateSize size) {
  Plate plate = ConstantPlate(size, 0);
  for (std::size_t i = 0; i < size.rows; ++i) {
    for (std::size_t j = 0; j < size.columns; ++j) {
      plate.At(i, j) = 3.0 * static_cast<double>(i) - 5.0 * static_cast<double>(j);
    }
  }
  return plate;
}

// Neighbours differ in sign. In a sweep all inner cells change theirs, so for long the largest
// change does not fall.
inline Plate Chessboard(PlateSize size) {
  Plate plate = ConstantPlate(size, 0);
  for (std::size_t i = 0; i < size.rows; ++i) {
    for (std::size_t j = 0; j < size.columns; ++j) plate.At(i, j) = (i + j) % 2 == 0 ? 1 : -1;
  }
  return plate;
}

// Puts values that are no ordinary numbers at a few places of the plate.
inline void AddSpecialValues(lab::Random& random, Plate& plate) {
  for (const double value : {kInfinity, -kInfinity, std::nan(""), -0.0, 1e308, -1e308}) {
    plate.cells[random.UniformInt<std::size_t>(0, plate.cells.size() - 1)] = value;
  }
}

// The mean of the four neighbours of the inner cell number k.
inline double Mean(const Cells& cells, std::size_t columns, std::size_t k) {
  return 0.25 * ((cells[k - columns] + cells[k + columns]) + (cells[k - 1] + cells[k + 1]));
}

// Calls visit(i, j, number of the cell) for all inner cells.
template <typename Visit>
void ForInnerCells(PlateSize size, const Visit& visit) {
  for (std::size_t i = 1; i + 1 < size.rows; ++i) {
    for (std::size_t j = 1; j + 1 < size.columns; ++j) visit(i, j, i * size.columns + j);
  }
}

// One sweep from `before` to `after`, whose border is that of `before` already.
inline void SweepCells(PlateSize size, const Cells& before, Cells& after) {
  ForInnerCells(size, [&](std::size_t, std::size_t, std::size_t k) {
    after[k] = Mean(before, size.columns, k);
  });
}

// The change of that sweep. Apart from it: what sweeps alone need is twice as fast.
inline double Change(const Cells& before, const Cells& after) {
  double change = 0;
  for (std::size_t k = 0; k < after.size(); ++k) {
    change = std::max(change, std::abs(after[k] - before[k]));
  }
  return change;
}

inline Cells AfterSweeps(const Plate& plate, std::size_t sweeps) {
  Cells now = plate.cells;
  if (sweeps == 0) return now;
  SweepCells(plate.size, plate.cells, now);
  Cells next = sweeps > 1 ? now : Cells();
  for (std::size_t sweep = 1; sweep < sweeps; ++sweep) {
    SweepCells(plate.size, now, next);
    std::swap(now, next);
  }
  return now;
}

// Sizes at which rows, shares of one to eight threads, vectors and tiles begin and end.
inline std::vector<PlateSize> SmallSizes() {
  std::vector<PlateSize> sizes;
  for (const std::size_t rows : {0, 1, 2, 3, 4, 5, 8, 9, 13}) {
    for (const std::size_t columns : {0, 1, 2, 3, 4, 5, 8, 11, 17}) {
      sizes.push_back({rows, columns});
    }
  }
  sizes.insert(sizes.end(), {{1, 1009}, {1009, 1}, {2, 257}, {257, 2}, {3, 1009}, {1009, 3}});
  return sizes;
}

// Square, wide and tall, with sides of primes and around powers of two. A tile of up to 1024 rows
// or 4096 columns has a neighbour in one of them.
inline std::vector<PlateSize> LargerSizes() {
  return {{31, 33},  {32, 32},  {63, 65},  {64, 64},  {65, 63},  {97, 101}, {127, 129}, {128, 64},
          {129, 40}, {257, 67}, {521, 19}, {19, 521}, {4, 1025}, {1031, 5}, {5, 4357}};
}

}  // namespace openmp_jacobi
