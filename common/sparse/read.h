#pragma once

// Sparse matrices and graphs from files in common formats. Files may be untrusted: errors name the
// line, and memory is allocated only for what was read.

#include <cstddef>
#include <filesystem>
#include <istream>
#include <stdexcept>
#include <string>

#include "common/sparse/matrix.h"

namespace sparse {

// A line has at most so many characters.
inline constexpr std::size_t kMaxLineLength = std::size_t{1} << 16;

// The sizes that a caller accepts. As a CsrMatrix a matrix takes 4 bytes for each row, even if its
// file has one line; so the sizes that a file declares must be limited. None may be above
// kMaxIndex.
struct ReadLimits {
  std::size_t rows = std::size_t{1} << 27;
  std::size_t columns = std::size_t{1} << 27;
  std::size_t entries = kMaxIndex;  // after mirror images
};

// A file that is malformed, exceeds a limit or cannot be read. what() is
//
//   <file>:<line>: error: <what>: <value>, limit <limit>
//     next: <what to do>
//
// on two lines. Where no line is to blame, `<file>: error: …`, and line() is 0. Values that are not
// printable are escaped, and long ones are cut.
class ReadError : public std::runtime_error {
 public:
  ReadError(std::string file, std::size_t line, const std::string& message,
            const std::string& next);
  const std::string& file() const { return file_; }
  std::size_t line() const { return line_; }

 private:
  std::string file_;
  std::size_t line_;
};

// Reads a matrix in the format Matrix Market: `coordinate`; `real`, `integer` or `pattern`;
// `general`, `symmetric` or `skew-symmetric`. Its indices count from 1, those of the result from 0.
//
//   %%MatrixMarket matrix coordinate real general
//   % comments begin with a %
//   3 4 2             rows, columns, entries
//   1 1 2.5
//   3 4 -1e-3
//
// * Of a symmetric matrix the file holds the entries on and below the diagonal, of a skew-symmetric
//   one those below; in the result the mirror image of each entry off the diagonal follows it. A
//   `pattern` becomes a pattern, as CooMatrix says.
// * Values are rounded to float. NaN, infinities, values too large for a float and values that
//   underflow a double are refused.
// * Empty lines and comments may stand anywhere after the first line. Lines may end with CR LF, and
//   the last one without either. Words of the first line may be in capital letters.
//
// `name` is what errors call the file. Throws ReadError. O(characters).
//
// Source: Boisvert, Pozo, Remington, The Matrix Market Exchange Formats: Initial Design, NISTIR
// 5935, 1996.
CooMatrix ReadMatrixMarket(std::istream& in, const std::string& name,
                           const ReadLimits& limits = {});
CooMatrix ReadMatrixMarketFile(const std::filesystem::path& path, const ReadLimits& limits = {});

// Reads a directed graph: an edge `from to` on a line, with ids from 0 on and spaces or tabs
// between them. Lines that begin with # or % are comments. The number of vertices is the largest id
// + 1, and at least `vertices`. Gives a square pattern with the edges in the file's order. Lines as
// above. Throws ReadError. O(characters).
CooMatrix ReadEdgeList(std::istream& in, const std::string& name, std::size_t vertices = 0,
                       const ReadLimits& limits = {});
CooMatrix ReadEdgeListFile(const std::filesystem::path& path, std::size_t vertices = 0,
                           const ReadLimits& limits = {});

}  // namespace sparse
