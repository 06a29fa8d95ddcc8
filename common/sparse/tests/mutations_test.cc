// Good files with a few bytes changed: each one is read, and is a valid matrix, or is refused with
// a line of the file and something to do. Nothing else may happen.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <iterator>
#include <sstream>
#include <string>
#include <string_view>

#include "common/lab/inputs.h"
#include "common/sparse/read.h"

namespace {

constexpr int kMutations = 4000;  // of each file
constexpr sparse::ReadLimits kLimits{1000, 1000, 1000};

using Reader = std::function<sparse::CooMatrix(std::istream&)>;

sparse::CooMatrix ReadMatrix(std::istream& in) {
  return sparse::ReadMatrixMarket(in, "f", kLimits);
}

sparse::CooMatrix ReadEdges(std::istream& in) { return sparse::ReadEdgeList(in, "f", 0, kLimits); }

constexpr std::string_view kSnippets[] = {"-",   "99999999999999999999", "nan", "1e999", "\n", " ",
                                          "%",   "2147483648",           "0",   "\r",    "",   "#",
                                          "inf", "4294967296",           "+",   ".",     "\t", "1"};

// Changes, removes, puts in or repeats something somewhere, or cuts the rest off.
void Mutate(lab::Random& random, std::string& text) {
  const auto at = random.UniformInt<std::size_t>(0, text.size());
  const auto length = random.UniformInt<std::size_t>(0, 8);
  switch (random.UniformInt(0, 4)) {
    case 0:
      if (at < text.size()) text[at] = static_cast<char>(random.UniformInt(0, 255));
      break;
    case 1:
      text.erase(at, length);
      break;
    case 2:
      text.insert(at, kSnippets[random.UniformInt<std::size_t>(0, std::size(kSnippets) - 1)]);
      break;
    case 3:
      text.insert(at, text.substr(at, 4 * length));
      break;
    default:
      text.resize(at);
  }
}

// Whether the text was read, not refused.
bool TryToRead(const std::string& text, const Reader& read) {
  std::istringstream in(text);
  try {
    const sparse::CooMatrix matrix = read(in);
    sparse::Validate(matrix);
    EXPECT_LE(matrix.rows, kLimits.rows);
    EXPECT_LE(matrix.size(), kLimits.entries);
    for (const float value : matrix.values) EXPECT_TRUE(std::isfinite(value));
    return true;
  } catch (const sparse::ReadError& error) {
    EXPECT_LE(error.line(),
              static_cast<std::size_t>(1 + std::count(text.begin(), text.end(), '\n')));
    EXPECT_NE(std::string_view(error.what()).find("\n  next: "), std::string_view::npos);
    return false;
  }
}

void ExpectSurvivesMutations(const std::string& file, const Reader& read) {
  lab::Random random;
  ASSERT_TRUE(TryToRead(file, read));
  int were_read = 0;
  for (int i = 0; i < kMutations; ++i) {
    std::string text = file;
    for (int left = random.UniformInt(1, 4); left > 0; --left) Mutate(random, text);
    SCOPED_TRACE(text);
    were_read += TryToRead(text, read);
    if (testing::Test::HasFailure()) return;
  }
  // Both outcomes occurred.
  EXPECT_GT(were_read, 0);
  EXPECT_LT(were_read, kMutations);
}

TEST(MutationsTest, OfARealMatrixAreReadOrRefused) {
  ExpectSurvivesMutations(
      "%%MatrixMarket matrix coordinate real general\n% comment\n5 7 4\n1 1 1.5\n5 7 -2e3\n2 3 0\n"
      "4 4 1e-3\n",
      ReadMatrix);
}

TEST(MutationsTest, OfASymmetricMatrixAreReadOrRefused) {
  ExpectSurvivesMutations(
      "%%MatrixMarket matrix coordinate integer symmetric\n\n9 9 3\n1 1 1\n9 3 -12\n4 2 7",
      ReadMatrix);
}

TEST(MutationsTest, OfAPatternAreReadOrRefused) {
  ExpectSurvivesMutations(
      "%%MatrixMarket matrix coordinate pattern general\r\n3 3 2\r\n1 3\r\n3 1\r\n", ReadMatrix);
}

TEST(MutationsTest, OfAnEdgeListAreReadOrRefused) {
  ExpectSurvivesMutations("# edges\n0 1\n1 12\n999 3\n\n5\t5\n", ReadEdges);
}

}  // namespace
