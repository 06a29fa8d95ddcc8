#include "common/lab/testing/error_evidence.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <vector>

namespace lab {
namespace {

constexpr int kMostLines = 10;
constexpr std::size_t kCells = 200;
constexpr std::size_t kRows = 60, kColumns = 84;
constexpr std::size_t kBefore = 3, kNear = 8;  // elements shown around the first wrong one

std::string Quoted(const std::string& text) {
  std::string quoted = "\"";
  for (const char letter : text) {
    if (letter == '"' || letter == '\\') quoted += '\\';
    if (static_cast<unsigned char>(letter) < 0x20) {
      char escape[8];
      std::snprintf(escape, sizeof(escape), "\\u%04x", static_cast<unsigned>(letter));
      quoted += escape;
    } else {
      quoted += letter;
    }
  }
  return quoted + "\"";
}

std::string Near(const ErrorEvidence& evidence) {
  const std::size_t first = evidence.wrong.front();
  const std::size_t begin = first - std::min(first, kBefore);
  std::string text;
  for (std::size_t i = begin; i < std::min(evidence.size, begin + kNear); ++i) {
    const ShownElement shown = evidence.show(i);
    const bool is_wrong = std::ranges::binary_search(evidence.wrong, i);
    text += (i > begin ? ",[" : "[") + std::to_string(i) + "," + Quoted(shown.expected) + "," +
            Quoted(shown.got) + (is_wrong ? ",true," : ",false,") + Quoted(shown.writer) + "]";
  }
  return text;
}

// How much of each equal part of the array is wrong.
std::string Cells(const ErrorEvidence& evidence) {
  const std::size_t parts = std::min(evidence.size, kCells);
  std::vector<std::size_t> wrong(parts, 0);
  for (const std::size_t index : evidence.wrong) {
    // The part whose first element is the last one not behind the index.
    ++wrong[((index + 1) * parts - 1) / evidence.size];
  }
  std::string text;
  for (std::size_t part = 0; part < parts; ++part) {
    const std::size_t elements = evidence.size * (part + 1) / parts - evidence.size * part / parts;
    char share[32];
    std::snprintf(share, sizeof(share), "%s%.3g", part > 0 ? "," : "",
                  static_cast<double>(wrong[part]) / static_cast<double>(elements));
    text += share;
  }
  return text;
}

// The slice of the first wrong element as rows and columns, or as equal parts of them.
std::string Grid(const ErrorEvidence& evidence) {
  if (evidence.shapes.empty()) return "";
  const Extents& shape = evidence.shapes.front();
  const std::size_t columns = shape.back(), rows = shape[shape.size() - 2];
  const std::size_t begin = evidence.wrong.front() / (rows * columns) * rows * columns;
  const std::size_t high = std::min(rows, kRows), wide = std::min(columns, kColumns);
  std::vector<std::string> cells(high, std::string(wide, '0'));
  for (const std::size_t index : evidence.wrong) {
    if (index >= begin + rows * columns) break;
    const std::size_t row = (index - begin) / columns, column = (index - begin) % columns;
    cells[((row + 1) * high - 1) / rows][((column + 1) * wide - 1) / columns] = '1';
  }
  std::string text;
  for (const std::string& row : cells) text += (text.empty() ? "\"" : ",\"") + row + "\"";
  return text;
}

}  // namespace

void WriteEvidence(const ErrorEvidence& evidence) {
  static int lines = 0;
  const char* const path = std::getenv("LAB_ERRORS");
  if (path == nullptr || ++lines > kMostLines) return;
  const testing::TestInfo* const test = testing::UnitTest::GetInstance()->current_test_info();
  const std::string name =
      test == nullptr ? "" : std::string(test->test_suite_name()) + "." + test->name();
  std::ofstream(path, std::ios::app)
      << "{\"test\":" << Quoted(name) << ",\"message\":" << Quoted(evidence.message)
      << ",\"near\":[" << Near(evidence) << "],\"cells\":[" << Cells(evidence) << "],\"grid\":["
      << Grid(evidence) << "]}\n";
}

}  // namespace lab
