// What the rewriter tells the runtime of the OpenCL programs in a file.
#pragma once

#include <cstddef>
#include <cstdint>

namespace opencl_c {

enum class ParameterKind : unsigned char { kValue, kBuffer, kLocal };

struct Parameter {
  ParameterKind kind;
  std::size_t bytes;  // of a value
};

struct Kernel {
  const char* name;
  const void* address;
  const Parameter* parameters;
  std::size_t parameter_count;
};

// All of it lives as long as the program.
struct Program {
  std::uint64_t hash;  // of the text, by TextHash
  const Kernel* kernels;
  std::size_t kernel_count;
};

// FNV-1a, by Fowler, Noll and Vo, of a text that may come in pieces.
class TextHash {
 public:
  void Add(const char* text, std::size_t bytes) {
    for (std::size_t i = 0; i < bytes; ++i) {
      value_ = (value_ ^ static_cast<unsigned char>(text[i])) * 1099511628211u;
    }
  }
  std::uint64_t value() const { return value_; }

 private:
  std::uint64_t value_ = 14695981039346656037u;
};

}  // namespace opencl_c

extern "C" void cudasimRegisterProgram(const opencl_c::Program* program);
