#include "common/lab/testing/comparisons.h"

#include <charconv>

#include "common/cudasim/include/cudasim/writers.h"
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

// "3" for (3, 0, 0), else all three.
std::string IndexText(const unsigned (&index)[3]) {
  const std::string x = std::to_string(index[0]);
  if (index[1] == 0 && index[2] == 0) return x;
  return "(" + x + ", " + std::to_string(index[1]) + ", " + std::to_string(index[2]) + ")";
}

// "block 3, thread 31": who wrote it, where the CUDA simulator knows that; else empty.
std::string WriterOf(const void* element) {
  CudasimWriter writer{};
  if (&simulatorWriterOf == nullptr || !simulatorWriterOf(element, &writer)) return "";
  return "block " + IndexText(writer.block) + ", thread " + IndexText(writer.thread);
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
    return ShownElement{
        mismatch.expected(i), mismatch.got(i),
        WriterOf(static_cast<const char*>(mismatch.elements) + i * mismatch.element_size)};
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
