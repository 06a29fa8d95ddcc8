#pragma once

// Sparse matrices, also for graphs: vertex i has an edge to vertex j if there is an entry (i, j).
// Plain data for the host; code that fills them by hand should call Validate().
//
//   const sparse::CsrMatrix graph = sparse::ToCsr(sparse::Rmat(20, 16 << 20, random));
//   for (const std::uint32_t neighbour : graph.Row(vertex)) …
//
// Functions here may be called from several threads as long as none of them changes what another
// one reads. They throw std::bad_alloc if memory runs out.

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace sparse {

// No matrix has more rows, columns or entries: all indices fit into an `int`, too.
inline constexpr std::size_t kMaxIndex = 0x7fffffff;

// Coordinates: entry k is values[k] at (row_indices[k], column_indices[k]), in any order. Entries
// at the same place add up.
struct CooMatrix {
  std::size_t rows = 0;
  std::size_t columns = 0;
  std::vector<std::uint32_t> row_indices;
  std::vector<std::uint32_t> column_indices;  // as many
  std::vector<float> values;                  // as many, or none: a pattern, every value is 1

  std::size_t size() const { return row_indices.size(); }
  bool is_pattern() const { return values.empty(); }
  // Of entry k < size().
  float Value(std::size_t k) const { return is_pattern() ? 1 : values[k]; }

  friend bool operator==(const CooMatrix&, const CooMatrix&) = default;
};

// Compressed sparse rows: the entries of row r are those from row_pointers[r] to row_pointers[r +
// 1], without the latter, in any order. Entries at the same place add up.
struct CsrMatrix {
  std::size_t rows = 0;
  std::size_t columns = 0;
  std::vector<std::uint32_t> row_pointers{0};  // rows + 1 of them, ascending, the first one 0
  std::vector<std::uint32_t> column_indices;
  std::vector<float> values;  // as many, or none: a pattern, every value is 1

  std::size_t size() const { return column_indices.size(); }
  bool is_pattern() const { return values.empty(); }
  // Of entry k < size().
  float Value(std::size_t k) const { return is_pattern() ? 1 : values[k]; }
  // The columns, and how many they are, of row r < rows.
  std::span<const std::uint32_t> Row(std::size_t r) const {
    return std::span(column_indices).subspan(row_pointers[r], Length(r));
  }
  std::size_t Length(std::size_t r) const { return row_pointers[r + 1] - row_pointers[r]; }

  friend bool operator==(const CsrMatrix&, const CsrMatrix&) = default;
};

// Throws std::invalid_argument, which names the first mistake, unless the matrix is as its struct
// says: sizes that agree and are at most kMaxIndex, indices within them, pointers that ascend from
// 0 to size(). O(rows + size).
void Validate(const CooMatrix& matrix);
void Validate(const CsrMatrix& matrix);

// The same matrix. The entries of a row keep their order. O(rows + size). Throws as Validate.
CsrMatrix ToCsr(const CooMatrix& matrix);
CooMatrix ToCoo(const CsrMatrix& matrix);

// The transpose; the entries of a row are in the order of their former rows. O(rows + columns +
// size). Throws as Validate.
CsrMatrix Transposed(const CsrMatrix& matrix);

// The same matrix with ascending columns in each row and each place once: values of the same place
// are added from first to last, and a pattern stays one. O(rows + size log size). Throws as
// Validate.
CsrMatrix Canonical(const CsrMatrix& matrix);

// The entries, and for each one that is not on the diagonal its mirror image: a graph whose edges
// go both ways. Throws as Validate, and std::invalid_argument unless the matrix is square and the
// result has at most kMaxIndex entries. O(size).
CooMatrix WithMirrorImages(const CooMatrix& matrix);

}  // namespace sparse
