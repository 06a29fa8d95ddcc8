#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <sstream>
#include <string>

#include "common/sparse/read.h"

namespace {

using sparse::CooMatrix;

CooMatrix Read(const std::string& text, std::size_t vertices = 0,
               const sparse::ReadLimits& limits = {}) {
  std::istringstream in(text);
  return sparse::ReadEdgeList(in, "g.txt", vertices, limits);
}

// The first line of what the reader says of a file that it refuses.
std::string Complaint(const std::string& text, std::size_t vertices = 0,
                      const sparse::ReadLimits& limits = {}) {
  try {
    Read(text, vertices, limits);
  } catch (const sparse::ReadError& error) {
    const std::string what = error.what();
    EXPECT_NE(what.find("\n  next: "), std::string::npos);
    return what.substr(0, what.find('\n'));
  }
  return "";
}

TEST(EdgeListTest, ReadsEdgesInTheirOrder) {
  EXPECT_EQ(Read("0 2\n2 1\n0 2\n"), (CooMatrix{3, 3, {0, 2, 0}, {2, 1, 2}, {}}));
}

TEST(EdgeListTest, SkipsCommentsAndEmptyLines) {
  EXPECT_EQ(Read("# a graph\n% the same\n\n  \t\n 5\t4 \r\n"), (CooMatrix{6, 6, {5}, {4}, {}}));
}

TEST(EdgeListTest, ReadsALastLineWithoutAnEnd) {
  EXPECT_EQ(Read("0 1\n1 0"), (CooMatrix{2, 2, {0, 1}, {1, 0}, {}}));
}

TEST(EdgeListTest, HasAsManyVerticesAsAsked) {
  EXPECT_EQ(Read("0 1\n", 7).rows, 7u);
  EXPECT_EQ(Read("0 9\n", 7).rows, 10u);
  EXPECT_EQ(Read("", 3), (CooMatrix{3, 3, {}, {}, {}}));
}

TEST(EdgeListTest, ReadsNothing) { EXPECT_EQ(Read("# nothing\n"), CooMatrix{}); }

TEST(EdgeListTest, ReadsAFile) {
  const std::string path = std::string(std::getenv("TEST_TMPDIR")) + "/g.txt";
  std::ofstream(path) << "3 0\n";
  EXPECT_EQ(sparse::ReadEdgeListFile(path), (CooMatrix{4, 4, {3}, {0}, {}}));
}

TEST(EdgeListTest, RefusesWhatIsNoId) {
  EXPECT_EQ(Complaint("0 1\n0 -1\n"), "g.txt:2: error: vertex: '-1', limit 0 to 134217727");
  EXPECT_EQ(Complaint("a 1\n"), "g.txt:1: error: vertex: 'a', limit 0 to 134217727");
  EXPECT_EQ(Complaint("0 1.0\n"), "g.txt:1: error: vertex: '1.0', limit 0 to 134217727");
  EXPECT_EQ(Complaint("0 18446744073709551616\n"),
            "g.txt:1: error: vertex: '18446744073709551616', limit 0 to 134217727");
  EXPECT_EQ(Complaint(std::string("0 1\0\n", 5)),
            "g.txt:1: error: vertex: '1\\x00', limit 0 to 134217727");
}

TEST(EdgeListTest, RefusesLinesThatAreNoEdge) {
  EXPECT_EQ(Complaint("0\n"), "g.txt:1: error: words on a line: 1, limit 2: FROM TO");
  EXPECT_EQ(Complaint("0 1 2\n"), "g.txt:1: error: words on a line: 3, limit 2: FROM TO");
}

TEST(EdgeListTest, RefusesWhatTheCallerHasNoRoomFor) {
  EXPECT_EQ(Complaint("0 5\n", 0, {6, 6, 1}), "");
  EXPECT_EQ(Complaint("0 6\n", 0, {6, 6, 1}), "g.txt:1: error: vertex: '6', limit 0 to 5");
  EXPECT_EQ(Complaint("0 5\n0 5\n", 0, {6, 6, 1}),
            "g.txt:2: error: more edges than there is room for: '0', limit 1");
  EXPECT_EQ(Complaint("", 7, {6, 6, 1}), "g.txt: error: vertices: 7, limit 6");
  EXPECT_EQ(Complaint("0 0\n", 0, {0, 0, 1}), "g.txt:1: error: vertex: '0', limit no vertices");
}

TEST(EdgeListTest, RefusesLinesWithoutAnEnd) {
  EXPECT_EQ(
      Complaint(std::string(1 << 20, '7')),
      "g.txt:1: error: line too long: '" + std::string(40, '7') + "…', limit 65536 characters");
}

}  // namespace
