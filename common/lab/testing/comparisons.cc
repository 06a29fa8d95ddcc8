#include "common/lab/testing/comparisons.h"

#include <charconv>

#include "common/lab/testing/error_evidence.h"
#include "common/lab/testing/error_pattern.h"
#include "common/lab/testing/last_call.h"

namespace lab::internal {
namespace {

template <typename T>
std::string Shortest(T value) {
  if (std::isnan(value)) return "nan";
  char text[64];
  const auto result = std::to_chars(text, text + sizeof(text), value);
  return std::string(text, result.ptr);
}

}  // namespace

std::string NumberText(float value) { return Shortest(value); }

std::string NumberText(double value) { return Shortest(value); }

void ReportMismatch(const SourceLine& where, const Mismatch& mismatch) {
  const std::vector<std::size_t>& wrong = mismatch.wrong;
  const std::vector<Extents> shapes = ShapesByLastCall(mismatch.size);
  const std::size_t first = wrong.front();
  std::string text = "element " + std::to_string(first) + " of " + std::to_string(mismatch.size) +
                     ": expected " + mismatch.expected(first) + ", got " + mismatch.got(first);
  if (mismatch.never_written) text += " (never written)";
  if (!mismatch.tolerance.empty()) text += ", tolerance " + mismatch.tolerance;
  if (const std::size_t more = wrong.size() - 1; more > 0) {
    text += "; " + std::to_string(more) + (more == 1 ? " more is" : " more are") +
            " wrong: " + DescribeErrors(wrong, mismatch.size, shapes);
  }
  const auto show = [&](std::size_t i) {
    return ShownElement{mismatch.expected(i), mismatch.got(i), ""};
  };
  WriteEvidence({text, wrong, mismatch.size, shapes, show});
  ADD_FAILURE_AT(where.file, where.line) << text;
}

bool ExpectSameSize(const SourceLine& where, std::size_t got, std::size_t want) {
  if (got == want) return true;
  ADD_FAILURE_AT(where.file, where.line)
      << "expected " << want << " elements, got " << got << " elements";
  return false;
}

}  // namespace lab::internal
