#pragma once

// What a lab's untouched file does: it says that it is not written yet.
//
//   void SumPartial(std::span<const float> values, std::span<float> partial) {
//     LAB_NOT_WRITTEN();
//   }
//
// A student deletes that line. Header only: a lab's file needs nothing else to compile and link.

#include <stdexcept>
#include <string>
#include <utility>

// Ends the function that contains it by throwing lab::NotWritten. Call it on the thread that called
// the function, and never from device code.
#define LAB_NOT_WRITTEN() ::lab::ThrowNotWritten(__FILE__, __LINE__, __func__)

namespace lab {

// A function of a lab was called that is still the stub.
class NotWritten : public std::runtime_error {
 public:
  // `file` as the compiler knows it, `line` of LAB_NOT_WRITTEN() (from 1), `function` unqualified.
  NotWritten(std::string file, int line, std::string function)
      : std::runtime_error(file + ":" + std::to_string(line) + ": " + function +
                           " is not written yet"),
        file_(std::move(file)),
        line_(line),
        function_(std::move(function)) {}

  const std::string& file() const { return file_; }
  int line() const { return line_; }
  const std::string& function() const { return function_; }

 private:
  std::string file_;
  int line_;
  std::string function_;
};

[[noreturn]] inline void ThrowNotWritten(const char* file, int line, const char* function) {
  throw NotWritten(file, line, function);
}

}  // namespace lab
