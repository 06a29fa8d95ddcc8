#pragma once

// EXPECTs for whole arrays: one message, about the first element that is wrong.
//
//   lab::ExpectAllEqual(bins, want);
//   lab::ExpectAllNear(got, want, 1e-6);
//   lab::ExpectAllNear(got, want, lab::Tolerance{.absolute = 1e-6, .relative = 1e-5});
//
// A failure reads `element 31 of 1000: expected 3.5, got nan, tolerance 1e-06; 30 more are wrong:
// every 32nd from 31 to the end` at the line of the call; see error_pattern.h. Where the results
// are a grid by the whole numbers of the latest call of a lab's function, it names rows and
// columns. A NaN equals a NaN and nothing else, an infinity only itself. Each returns whether all
// was right, is linear in the size, and may be called from the test's thread.

#include <gtest/gtest.h>

#include <cmath>
#include <cstddef>
#include <functional>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "common/lab/testing/poison.h"

namespace lab {

// How far an element may be from what was expected: absolute + relative * |expected|.
struct Tolerance {
  double absolute = 0;
  double relative = 0;

  // The allowed distance from `want`; `relative` does not apply to an infinity.
  double For(double want) const {
    return std::isfinite(want) ? absolute + relative * std::abs(want) : absolute;
  }
};

namespace internal {

struct SourceLine {
  const char* file;
  int line;
};

// What is wrong. The functions are called during the report alone.
struct Mismatch {
  std::vector<std::size_t> wrong;  // the indices, which ascend
  std::size_t size;
  const void* elements;      // the first of them
  std::size_t element_size;  // bytes
  std::function<std::string(std::size_t)> expected;
  std::function<std::string(std::size_t)> got;
  std::string tolerance;  // of the first wrong element; empty: exact
  bool never_written;     // that element
};

// Adds a failure at `where`, as the header says.
void ReportMismatch(const SourceLine& where, const Mismatch& mismatch);

// Whether the sizes agree; adds a failure at `where` if not.
bool ExpectSameSize(const SourceLine& where, std::size_t got, std::size_t want);

// Shortest text that reads back as the same number.
std::string NumberText(float value);
std::string NumberText(double value);

template <typename T>
std::string ValueText(const T& value) {
  if constexpr (std::is_same_v<T, float>) {
    return NumberText(value);
  } else if constexpr (std::is_floating_point_v<T>) {
    return NumberText(static_cast<double>(value));
  } else if constexpr (std::is_integral_v<T> && sizeof(T) == 1 && !std::is_same_v<T, bool> &&
                       !std::is_same_v<T, char>) {
    return std::to_string(static_cast<int>(value));
  } else {
    return testing::PrintToString(value);
  }
}

template <typename T>
bool Same(const T& got, const T& want) {
  if constexpr (std::is_floating_point_v<T>) {
    if (std::isnan(want)) return std::isnan(got);
  }
  return got == want;
}

inline bool Near(double got, double want, double tolerance) {
  if (got == want) return true;
  if (!std::isfinite(got) || !std::isfinite(want)) return std::isnan(got) && std::isnan(want);
  return std::abs(got - want) <= tolerance;
}

// Never true for small types, whose values match the pattern by chance.
template <typename T>
bool NeverWritten(const T& got) {
  return sizeof(T) >= 4 && IsPoison(got);
}

// Calls is_right(i) for every element; reports the first that is not. `tolerance_text(i)` may be
// empty.
template <typename Got, typename Want, typename IsRight, typename ToleranceText>
bool ExpectAll(const SourceLine& where, std::span<const Got> got, std::span<const Want> want,
               const IsRight& is_right, const ToleranceText& tolerance_text) {
  if (!ExpectSameSize(where, got.size(), want.size())) return false;
  std::vector<std::size_t> wrong;
  for (std::size_t i = 0; i < got.size(); ++i) {
    if (!is_right(i)) wrong.push_back(i);
  }
  if (wrong.empty()) return true;
  const std::size_t first = wrong.front();
  ReportMismatch(where, {std::move(wrong), got.size(), got.data(), sizeof(Got),
                         [&](std::size_t i) { return ValueText(want[i]); },
                         [&](std::size_t i) { return ValueText(got[i]); }, tolerance_text(first),
                         NeverWritten(got[first])});
  return false;
}

template <typename Range>
using ElementOf = std::remove_cvref_t<decltype(*std::data(std::declval<const Range&>()))>;

template <typename Range>
std::span<const ElementOf<Range>> View(const Range& range) {
  return {std::data(range), std::size(range)};
}

}  // namespace internal

// Expects got[i] == want[i] for all i. Got and Want are contiguous ranges (vector, array, span,
// string) of the same element type.
template <typename Got, typename Want>
bool ExpectAllEqual(const Got& got, const Want& want, const char* file = __builtin_FILE(),
                    int line = __builtin_LINE()) {
  const auto g = internal::View(got);
  const auto w = internal::View(want);
  static_assert(std::is_same_v<decltype(g), decltype(w)>, "got and want differ in element type");
  return internal::ExpectAll(
      {file, line}, g, w, [&](std::size_t i) { return internal::Same(g[i], w[i]); },
      [](std::size_t) { return std::string(); });
}

// Expects |got[i] - want[i]| <= tolerance.For(want[i]) for all i. Element types are arithmetic and
// may differ: a double reference for float results.
template <typename Got, typename Want>
bool ExpectAllNear(const Got& got, const Want& want, Tolerance tolerance,
                   const char* file = __builtin_FILE(), int line = __builtin_LINE()) {
  const auto g = internal::View(got);
  const auto w = internal::View(want);
  const auto allowed = [&](std::size_t i) { return tolerance.For(static_cast<double>(w[i])); };
  return internal::ExpectAll(
      {file, line}, g, w,
      [&](std::size_t i) {
        return internal::Near(static_cast<double>(g[i]), static_cast<double>(w[i]), allowed(i));
      },
      [&](std::size_t i) { return internal::NumberText(allowed(i)); });
}

// The same with one absolute tolerance for all elements.
template <typename Got, typename Want>
bool ExpectAllNear(const Got& got, const Want& want, double tolerance,
                   const char* file = __builtin_FILE(), int line = __builtin_LINE()) {
  return ExpectAllNear(got, want, Tolerance{tolerance, 0}, file, line);
}

// The same with an absolute tolerance per element: as many as `want` has.
template <typename Got, typename Want>
bool ExpectAllNear(const Got& got, const Want& want, std::span<const double> tolerances,
                   const char* file = __builtin_FILE(), int line = __builtin_LINE()) {
  const auto g = internal::View(got);
  const auto w = internal::View(want);
  if (!internal::ExpectSameSize({file, line}, tolerances.size(), w.size())) return false;
  return internal::ExpectAll(
      {file, line}, g, w,
      [&](std::size_t i) {
        return internal::Near(static_cast<double>(g[i]), static_cast<double>(w[i]), tolerances[i]);
      },
      [&](std::size_t i) { return internal::NumberText(tolerances[i]); });
}

}  // namespace lab
