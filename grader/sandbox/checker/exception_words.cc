#include "grader/sandbox/checker/exception_words.h"

#include <algorithm>
#include <array>
#include <regex>

// Includes only the list of CUDA's errors, not the simulator.
#include "common/cudasim/include/cudasim/error_codes.h"

namespace grader::checker {
namespace {

struct CudaError {
  std::string_view name;
  std::string_view text;
};

#define CUDA_ERROR(name, value, text) CudaError{#name, text},
constexpr std::array kCudaErrors{CUDASIM_ERROR_CODES(CUDA_ERROR)};
#undef CUDA_ERROR

constexpr std::array<std::string_view, 17> kSentences{
    "std::bad_array_new_length",
    "std::bad_cast",
    "std::bad_typeid",
    "std::exception",
    "bad_function_call",
    "bad optional access",
    "bad_weak_ptr",
    "cannot create std::vector larger than max_size()",
    "vector::_M_default_append",
    "vector::_M_fill_insert",
    "vector::_M_range_insert",
    "vector::_M_realloc_insert",
    "vector::reserve",
    "basic_string::_M_create",
    "Resource temporarily unavailable",
    "Resource deadlock avoided",
    "Operation not permitted",
};

// `line` as in "vecadd.cu:12"; `name` as in "cudaErrorMemoryAllocation".
std::string CudaWords(const std::string& line, std::string_view name) {
  for (const CudaError& error : kCudaErrors) {
    if (error.name != name) continue;
    return ": the CUDA call in line " + line + " failed: " + std::string(error.text) + " (" +
           std::string(name) + ")";
  }
  return "";
}

}  // namespace

std::string ExceptionWords(std::string_view text) {
  if (std::find(kSentences.begin(), kSentences.end(), text) != kSentences.end()) {
    return ": " + std::string(text);
  }
  static const std::regex kCheck(
      R"(error: CUDA call failed: [^:]{1,200}:(\d{1,5}): [^]{1,500}\((cudaError[A-Za-z0-9]{1,60})\))");
  const std::string head(text.substr(0, 1000));
  if (std::smatch found; std::regex_match(head, found, kCheck)) {
    if (std::string words = CudaWords(found[1], found[2].str()); !words.empty()) return words;
  }
  return "; its text is not passed on: it may hold inputs of the test";
}

}  // namespace grader::checker
