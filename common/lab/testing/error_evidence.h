#pragma once

// What a comparison that failed writes beside its message, for the picture of it
// (common/lab/failure_pictures/errors.py): in the grader there is none.

#include <cstddef>
#include <functional>
#include <span>
#include <string>

#include "common/lab/testing/error_pattern.h"

namespace lab {

// An element as texts.
struct ShownElement {
  std::string expected, got, writer;
};

struct ErrorEvidence {
  std::string message;
  std::span<const std::size_t> wrong;  // which ascend
  std::size_t size;
  std::span<const Extents> shapes;  // that the array may have
  std::function<ShownElement(std::size_t)> show;
};

// Appends a line of JSON to the file that LAB_ERRORS names in the environment; does nothing without
// it, and after the first few of a program.
void WriteEvidence(const ErrorEvidence& evidence);

}  // namespace lab
