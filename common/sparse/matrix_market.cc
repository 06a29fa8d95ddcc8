#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <limits>
#include <string_view>
#include <system_error>

#include "common/sparse/line_reader.h"
#include "common/sparse/read.h"

namespace sparse {
namespace {

using internal::LineReader;

constexpr std::string_view kComments = "%";

enum class Field { kReal, kInteger, kPattern };
enum class Symmetry { kGeneral, kSymmetric, kSkewSymmetric };

struct Header {
  Field field;
  Symmetry symmetry;
};

struct Sizes {
  std::size_t rows;
  std::size_t columns;
  std::size_t entries;  // lines
};

std::string Lower(std::string_view word) {
  std::string lower(word);
  for (char& c : lower) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  return lower;
}

// Which of `names` word `index` of the first line is.
template <std::size_t kNames>
std::size_t Choice(const LineReader& reader, std::size_t index, const std::string& what,
                   const std::array<std::string_view, kNames>& names) {
  const auto found = std::find(names.begin(), names.end(), Lower(reader.words()[index]));
  if (found != names.end()) return found - names.begin();
  std::string all;
  for (const std::string_view name : names) all += (all.empty() ? "" : ", ") + std::string(name);
  reader.Refuse(what, reader.words()[index], all, "convert the matrix to one that is read here");
}

Header ReadHeader(LineReader& reader) {
  if (!reader.Next()) reader.RefuseFile("empty file", "give a file in the format Matrix Market");
  if (reader.words().empty() || Lower(reader.words()[0]) != "%%matrixmarket") {
    reader.Refuse("first word", reader.words().empty() ? "" : reader.words()[0],
                  "%%MatrixMarket alone", "give a file in the format Matrix Market");
  }
  reader.ExpectWords(5, "%%MatrixMarket matrix coordinate FIELD SYMMETRY");
  Choice<1>(reader, 1, "object", {"matrix"});
  Choice<1>(reader, 2, "format", {"coordinate"});
  const auto field =
      static_cast<Field>(Choice<3>(reader, 3, "field", {"real", "integer", "pattern"}));
  const auto symmetry = static_cast<Symmetry>(
      Choice<3>(reader, 4, "symmetry", {"general", "symmetric", "skew-symmetric"}));
  if (field == Field::kPattern && symmetry == Symmetry::kSkewSymmetric) {
    reader.Refuse("symmetry of a pattern", reader.words()[4], "general, symmetric",
                  "give it values, or make it symmetric");
  }
  return {field, symmetry};
}

Sizes ReadSizes(LineReader& reader, Symmetry symmetry, const ReadLimits& limits) {
  if (!reader.NextWithWords(kComments)) {
    reader.RefuseFile("no line with the sizes", "add ROWS COLUMNS ENTRIES after the comments");
  }
  reader.ExpectWords(3, "ROWS COLUMNS ENTRIES");
  const Sizes sizes{reader.Whole(0, "rows", 0, std::min(limits.rows, kMaxIndex)),
                    reader.Whole(1, "columns", 0, std::min(limits.columns, kMaxIndex)),
                    reader.Whole(2, "entries", 0, std::min(limits.entries, kMaxIndex))};
  if (symmetry != Symmetry::kGeneral && sizes.rows != sizes.columns) {
    reader.Refuse("columns of a symmetric matrix", reader.words()[1],
                  std::to_string(sizes.rows) + ", as many as rows", "make the matrix general");
  }
  return sizes;
}

// std::from_chars does not accept a leading +.
std::string_view WithoutPlus(std::string_view word) {
  return word.size() > 1 && word[0] == '+' && word[1] != '-' ? word.substr(1) : word;
}

template <typename T>
bool Parse(std::string_view word, T& value) {
  const std::string_view number = WithoutPlus(word);
  const auto [end, error] = std::from_chars(number.data(), number.data() + number.size(), value);
  return error == std::errc() && end == number.data() + number.size();
}

// The value, which is word 2.
float Value(const LineReader& reader, Field field) {
  const std::string_view word = reader.words()[2];
  if (field == Field::kInteger) {
    std::int64_t value = 0;
    if (Parse(word, value)) return static_cast<float>(value);
    reader.Refuse("value", word, "a whole number of 64 bits", "correct it, or make the field real");
  }
  double value = 0;
  // Larger ones would round to infinity.
  const double largest = std::numeric_limits<float>::max();
  if (Parse(word, value) && std::abs(value) <= largest) return static_cast<float>(value);
  reader.Refuse("value", word, "a number from -3.4e38 to 3.4e38",
                "correct it, or scale the matrix");
}

void CheckTriangle(const LineReader& reader, Symmetry symmetry, std::size_t row,
                   std::size_t column) {
  if (symmetry == Symmetry::kSymmetric && row < column) {
    reader.Refuse("column of a symmetric matrix", reader.words()[1],
                  std::to_string(row) + ", its row", "leave out what is above the diagonal");
  }
  if (symmetry == Symmetry::kSkewSymmetric && row <= column) {
    reader.Refuse("column of a skew-symmetric matrix", reader.words()[1],
                  "less than " + std::to_string(row) + ", its row",
                  "leave out the diagonal and what is above it");
  }
}

void Append(CooMatrix& matrix, std::size_t row, std::size_t column) {
  matrix.row_indices.push_back(static_cast<std::uint32_t>(row - 1));
  matrix.column_indices.push_back(static_cast<std::uint32_t>(column - 1));
}

// This line's entry and its mirror image.
void ReadEntry(const LineReader& reader, const Header& header, CooMatrix& matrix) {
  const bool has_value = header.field != Field::kPattern;
  reader.ExpectWords(has_value ? 3 : 2, has_value ? "ROW COLUMN VALUE" : "ROW COLUMN");
  const std::size_t row = reader.Whole(0, "row", 1, matrix.rows);
  const std::size_t column = reader.Whole(1, "column", 1, matrix.columns);
  CheckTriangle(reader, header.symmetry, row, column);
  const float value = has_value ? Value(reader, header.field) : 1;
  Append(matrix, row, column);
  if (has_value) matrix.values.push_back(value);
  if (header.symmetry == Symmetry::kGeneral || row == column) return;
  Append(matrix, column, row);
  if (has_value) {
    matrix.values.push_back(header.symmetry == Symmetry::kSkewSymmetric ? -value : value);
  }
}

}  // namespace

CooMatrix ReadMatrixMarket(std::istream& in, const std::string& name, const ReadLimits& limits) {
  LineReader reader(in, name);
  const Header header = ReadHeader(reader);
  const Sizes sizes = ReadSizes(reader, header.symmetry, limits);
  CooMatrix matrix;
  matrix.rows = sizes.rows;
  matrix.columns = sizes.columns;
  // No reserve(): the file's own count is not to be trusted, so memory grows with what is read.
  std::size_t entries = 0;
  for (; reader.NextWithWords(kComments); ++entries) {
    if (entries == sizes.entries) {
      reader.Refuse("more entries than the file says", reader.words()[0],
                    std::to_string(sizes.entries), "remove them, or correct the line with sizes");
    }
    ReadEntry(reader, header, matrix);
    if (matrix.size() > std::min(limits.entries, kMaxIndex)) {
      reader.Refuse("more entries with mirror images than there is room for", reader.words()[0],
                    std::to_string(limits.entries), "raise the limit, or use a smaller matrix");
    }
  }
  if (entries < sizes.entries) {
    reader.RefuseFile("entries: " + std::to_string(entries) + ", limit " +
                          std::to_string(sizes.entries) + ", as its line with sizes says",
                      "see whether the file is complete");
  }
  return matrix;
}

CooMatrix ReadMatrixMarketFile(const std::filesystem::path& path, const ReadLimits& limits) {
  std::ifstream in = internal::Open(path);
  return ReadMatrixMarket(in, path.string(), limits);
}

}  // namespace sparse
