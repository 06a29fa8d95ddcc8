#include <gtest/gtest.h>
#include <sys/resource.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <sstream>
#include <string>

#include "common/sparse/read.h"

namespace {

using sparse::CooMatrix;

constexpr char kReal[] = "%%MatrixMarket matrix coordinate real general\n";
constexpr char kPattern[] = "%%MatrixMarket matrix coordinate pattern general\n";

CooMatrix Read(const std::string& text, const sparse::ReadLimits& limits = {}) {
  std::istringstream in(text);
  return sparse::ReadMatrixMarket(in, "m.mtx", limits);
}

// What the reader says of a file that it refuses.
std::string Complaint(const std::string& text, const sparse::ReadLimits& limits = {}) {
  try {
    Read(text, limits);
  } catch (const sparse::ReadError& error) {
    EXPECT_EQ(error.file(), "m.mtx");
    return error.what();
  }
  return "";
}

// Its first line.
std::string FirstLine(const std::string& text, const sparse::ReadLimits& limits = {}) {
  const std::string complaint = Complaint(text, limits);
  EXPECT_NE(complaint.find("\n  next: "), std::string::npos);
  return complaint.substr(0, complaint.find('\n'));
}

TEST(MatrixMarketTest, ReadsRealNumbersAndCountsFromZero) {
  EXPECT_EQ(Read(std::string(kReal) + "% a comment\n\n3 4 2\n1 1 2.5\n3 4 -1e-3\n"),
            (CooMatrix{3, 4, {0, 2}, {0, 3}, {2.5f, -1e-3f}}));
}

TEST(MatrixMarketTest, ReadsIntegers) {
  EXPECT_EQ(Read("%%MatrixMarket matrix coordinate integer general\n2 2 2\n1 2 -7\n2 1 +3\n"),
            (CooMatrix{2, 2, {0, 1}, {1, 0}, {-7, 3}}));
}

TEST(MatrixMarketTest, ReadsPatterns) {
  const CooMatrix matrix = Read(std::string(kPattern) + "2 2 1\n1 2\n");
  EXPECT_EQ(matrix, (CooMatrix{2, 2, {0}, {1}, {}}));
  EXPECT_TRUE(matrix.is_pattern());
}

TEST(MatrixMarketTest, MirrorsSymmetricMatrices) {
  EXPECT_EQ(Read("%%MatrixMarket matrix coordinate real symmetric\n2 2 2\n1 1 5\n2 1 6\n"),
            (CooMatrix{2, 2, {0, 1, 0}, {0, 0, 1}, {5, 6, 6}}));
}

TEST(MatrixMarketTest, MirrorsSkewSymmetricMatricesWithTheOtherSign) {
  EXPECT_EQ(Read("%%MatrixMarket matrix coordinate integer skew-symmetric\n2 2 1\n2 1 6\n"),
            (CooMatrix{2, 2, {1, 0}, {0, 1}, {6, -6}}));
}

TEST(MatrixMarketTest, ReadsTheFirstLineInCapitalLetters) {
  EXPECT_EQ(Read("%%MATRIXMARKET Matrix COORDINATE Real General\n1 1 1\n1 1 1\n").size(), 1u);
}

TEST(MatrixMarketTest, ReadsWindowsLinesAndALastOneWithoutAnEnd) {
  EXPECT_EQ(Read("%%MatrixMarket matrix coordinate real general\r\n1 2 1\r\n\t1  2   3"),
            (CooMatrix{1, 2, {0}, {1}, {3}}));
}

TEST(MatrixMarketTest, ReadsMatricesWithoutEntriesOrRows) {
  EXPECT_EQ(Read(std::string(kReal) + "0 0 0\n"), CooMatrix{});
  EXPECT_EQ(Read(std::string(kReal) + "3 4 0"), (CooMatrix{3, 4, {}, {}, {}}));
}

TEST(MatrixMarketTest, ReadsAFile) {
  const std::string path = std::string(std::getenv("TEST_TMPDIR")) + "/m.mtx";
  std::ofstream(path) << kPattern << "1 1 1\n1 1\n";
  EXPECT_EQ(sparse::ReadMatrixMarketFile(path).size(), 1u);
}

TEST(MatrixMarketTest, NamesFilesThatCannotBeRead) {
  const auto complaint = [](const std::string& path) -> std::string {
    try {
      sparse::ReadMatrixMarketFile(path);
    } catch (const sparse::ReadError& error) {
      EXPECT_EQ(error.line(), 0u);
      return error.what();
    }
    return "";
  };
  EXPECT_EQ(complaint("/no/such/file.mtx"),
            "/no/such/file.mtx: error: cannot open the file\n  next: check the path");
  const std::string folder = std::getenv("TEST_TMPDIR");
  EXPECT_EQ(complaint(folder),
            folder + ": error: cannot read the file\n  next: check the path and the disk");
}

TEST(MatrixMarketTest, SaysAllOfAnError) {
  EXPECT_EQ(Complaint(std::string(kReal) + "% sizes\n3 4 1\n3 5 1\n"),
            "m.mtx:4: error: column: '5', limit 1 to 4\n"
            "  next: correct this number, or the limit that it exceeds");
}

TEST(MatrixMarketTest, RefusesOtherFiles) {
  EXPECT_EQ(FirstLine(""), "m.mtx: error: empty file");
  EXPECT_EQ(FirstLine("\x7f"
                      "ELF\n"),
            "m.mtx:1: error: first word: '\\x7fELF', limit %%MatrixMarket alone");
  EXPECT_EQ(FirstLine("%%MatrixMarket matrix array real general\n"),
            "m.mtx:1: error: format: 'array', limit coordinate");
  EXPECT_EQ(FirstLine("%%MatrixMarket matrix coordinate complex general\n"),
            "m.mtx:1: error: field: 'complex', limit real, integer, pattern");
  EXPECT_EQ(FirstLine("%%MatrixMarket matrix coordinate real hermitian\n"),
            "m.mtx:1: error: symmetry: 'hermitian', limit general, symmetric, skew-symmetric");
  EXPECT_EQ(FirstLine("%%MatrixMarket matrix coordinate pattern skew-symmetric\n"),
            "m.mtx:1: error: symmetry of a pattern: 'skew-symmetric', limit general, symmetric");
  EXPECT_EQ(FirstLine("%%MatrixMarket matrix coordinate real\n"),
            "m.mtx:1: error: words on a line: 4, limit 5: "
            "%%MatrixMarket matrix coordinate FIELD SYMMETRY");
}

TEST(MatrixMarketTest, RefusesWrongSizes) {
  EXPECT_EQ(FirstLine(kReal), "m.mtx: error: no line with the sizes");
  EXPECT_EQ(FirstLine(std::string(kReal) + "3 4\n"),
            "m.mtx:2: error: words on a line: 2, limit 3: ROWS COLUMNS ENTRIES");
  EXPECT_EQ(FirstLine(std::string(kReal) + "-3 4 1\n"),
            "m.mtx:2: error: rows: '-3', limit 0 to 134217728");
  EXPECT_EQ(FirstLine(std::string(kReal) + "3 4 99999999999999999999999\n"),
            "m.mtx:2: error: entries: '99999999999999999999999', limit 0 to 2147483647");
  EXPECT_EQ(FirstLine("%%MatrixMarket matrix coordinate real symmetric\n2 3 1\n"),
            "m.mtx:2: error: columns of a symmetric matrix: '3', limit 2, as many as rows");
}

TEST(MatrixMarketTest, RefusesIndicesOutsideOfTheMatrix) {
  const std::string head = std::string(kPattern) + "3 4 1\n";
  EXPECT_EQ(FirstLine(head + "0 1\n"), "m.mtx:3: error: row: '0', limit 1 to 3");
  EXPECT_EQ(FirstLine(head + "4 1\n"), "m.mtx:3: error: row: '4', limit 1 to 3");
  EXPECT_EQ(FirstLine(head + "1.5 1\n"), "m.mtx:3: error: row: '1.5', limit 1 to 3");
  EXPECT_EQ(FirstLine(head + "1 -1\n"), "m.mtx:3: error: column: '-1', limit 1 to 4");
  EXPECT_EQ(FirstLine(std::string(kPattern) + "0 4 1\n1 1\n"),
            "m.mtx:3: error: row: '1', limit none, as there are 0 of them");
}

TEST(MatrixMarketTest, RefusesValuesThatAreNoFiniteFloats) {
  const std::string head = std::string(kReal) + "1 1 1\n1 1 ";
  for (const std::string value : {"nan", "inf", "-inf", "1e39", "1e400", "-3.5e38", "1,5", "0x1p3",
                                  "abc", "+-1", "1e", "--1", "1.0D3"}) {
    EXPECT_EQ(FirstLine(head + value + "\n"),
              "m.mtx:3: error: value: '" + value + "', limit a number from -3.4e38 to 3.4e38");
  }
}

TEST(MatrixMarketTest, RefusesValuesThatAreNoWholeNumbers) {
  const std::string head = "%%MatrixMarket matrix coordinate integer general\n1 1 1\n1 1 ";
  for (const std::string value : {"1.5", "9223372036854775808", "x"}) {
    EXPECT_EQ(FirstLine(head + value + "\n"),
              "m.mtx:3: error: value: '" + value + "', limit a whole number of 64 bits");
  }
}

TEST(MatrixMarketTest, RefusesMoreAndFewerEntriesThanTheFileSays) {
  EXPECT_EQ(FirstLine(std::string(kPattern) + "3 4 1\n1 1\n2 2\n"),
            "m.mtx:4: error: more entries than the file says: '2', limit 1");
  EXPECT_EQ(FirstLine(std::string(kPattern) + "3 4 2000000000\n1 1\n"),
            "m.mtx: error: entries: 1, limit 2000000000, as its line with sizes says");
}

// With too little memory for the entries that the file declares but does not have.
TEST(MatrixMarketTest, TakesNoMemoryForWhatTheFileOnlySays) {
  rlimit before{};
  ASSERT_EQ(getrlimit(RLIMIT_AS, &before), 0);
  const rlimit little{std::min<rlim_t>(before.rlim_max, 1 << 30), before.rlim_max};
  ASSERT_EQ(setrlimit(RLIMIT_AS, &little), 0);
  EXPECT_EQ(FirstLine(std::string(kReal) + "100000000 100000000 2000000000\n1 1 1\n"),
            "m.mtx: error: entries: 1, limit 2000000000, as its line with sizes says");
  ASSERT_EQ(setrlimit(RLIMIT_AS, &before), 0);
}

TEST(MatrixMarketTest, RefusesMoreAndFewerWordsThanAnEntryHas) {
  EXPECT_EQ(FirstLine(std::string(kReal) + "3 4 1\n1 1\n"),
            "m.mtx:3: error: words on a line: 2, limit 3: ROW COLUMN VALUE");
  EXPECT_EQ(FirstLine(std::string(kPattern) + "3 4 1\n1 1 1\n"),
            "m.mtx:3: error: words on a line: 3, limit 2: ROW COLUMN");
}

TEST(MatrixMarketTest, RefusesTheUpperTriangleOfSymmetricMatrices) {
  EXPECT_EQ(FirstLine("%%MatrixMarket matrix coordinate real symmetric\n2 2 1\n1 2 5\n"),
            "m.mtx:3: error: column of a symmetric matrix: '2', limit 1, its row");
  EXPECT_EQ(FirstLine("%%MatrixMarket matrix coordinate real skew-symmetric\n2 2 1\n2 2 5\n"),
            "m.mtx:3: error: column of a skew-symmetric matrix: '2', limit less than 2, its row");
}

TEST(MatrixMarketTest, RefusesWhatTheCallerHasNoRoomFor) {
  const sparse::ReadLimits limits{10, 20, 2};
  EXPECT_EQ(Complaint(std::string(kPattern) + "10 20 1\n1 1\n", limits), "");
  EXPECT_EQ(FirstLine(std::string(kPattern) + "11 20 1\n", limits),
            "m.mtx:2: error: rows: '11', limit 0 to 10");
  EXPECT_EQ(FirstLine(std::string(kPattern) + "10 20 3\n", limits),
            "m.mtx:2: error: entries: '3', limit 0 to 2");
  EXPECT_EQ(
      FirstLine("%%MatrixMarket matrix coordinate pattern symmetric\n3 3 2\n2 1\n3 1\n", limits),
      "m.mtx:4: error: more entries with mirror images than there is room for: '3', limit 2");
}

TEST(MatrixMarketTest, RefusesLinesWithoutAnEnd) {
  EXPECT_EQ(
      FirstLine(std::string(kReal) + "1 1 1\n" + std::string(1 << 20, '1')),
      "m.mtx:3: error: line too long: '" + std::string(40, '1') + "…', limit 65536 characters");
  EXPECT_EQ(Complaint(std::string(kReal) + "%" + std::string(60'000, ' ') + "\n0 0 0\n"), "");
}

}  // namespace
