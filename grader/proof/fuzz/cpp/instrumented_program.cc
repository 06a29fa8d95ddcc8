// What is done for ThreadSanitizer with a student's program in LLVM's text form.
#include <cstddef>
#include <cstdint>
#include <sstream>
#include <string>
#include <string_view>

#include "grader/judging/kit/instrument/instrument.h"

namespace {

using grader::instrument::Lines;

void Require(bool holds) {
  if (!holds) __builtin_trap();
}

bool IsAdded(std::string_view line) {
  return line.starts_with("  %instrumented.") || line.starts_with("  call void @__tsan_") ||
         line.starts_with("  call void asm ") || line.starts_with("declare void @__tsan_");
}

// Where there is a fence, a relaxed order is made stronger.
std::string WithoutOrders(std::string line) {
  for (const std::string_view order : {" monotonic", " seq_cst"}) {
    for (auto at = line.find(order); at != line.npos; at = line.find(order, at)) {
      line.erase(at, order.size());
    }
  }
  return line;
}

// Every line of the program, in order; between them only what is added.
void CheckOptimised(const Lines& program) {
  std::size_t kept = 0;
  for (const std::string& line : grader::instrument::Optimised(program)) {
    if (kept < program.size() && WithoutOrders(line) == WithoutOrders(program[kept])) {
      ++kept;
    } else {
      Require(IsAdded(line));
    }
  }
  Require(kept == program.size());
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  std::istringstream text(std::string(data, data + size));
  Lines program;
  for (std::string line; std::getline(text, line);) program.push_back(line);
  Require(grader::instrument::Unoptimised(program).size() == program.size());
  CheckOptimised(program);
  return 0;
}
