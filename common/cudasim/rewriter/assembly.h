// Inline assembly: the parts of a statement, and PTX as C++.
#pragma once

#include <cctype>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "common/cudasim/rewriter/token.h"

namespace cudasim::rewriter {

// asm volatile("text" : "=r"(x) : "r"(y) : "memory")
struct Assembly {
  std::string text;                   // of all literals, without escapes
  std::vector<std::string> operands;  // expressions, outputs first
  std::size_t outputs = 0;
  std::size_t close = 0;  // index of the closing parenthesis
};

inline bool IsBlank(unsigned char c) { return std::isspace(c) != 0; }

// True if an asm statement begins at the token.
bool IsAssembly(const Token& token);

// The statement that begins at `index`.  Its text is empty for one that any compiler takes.
Assembly ParseAssembly(const Unit& unit, std::size_t index);

// One PTX instruction, "ld.global.v2.u32 {%0, %1}, [%2+8]".
struct Instruction {
  std::string name;                    // "ld"
  std::vector<std::string> modifiers;  // "global", "v2", "u32"
  std::vector<std::string> operands;   // "{%0, %1}", "[%2+8]"
  std::string text;

  bool Has(std::string_view modifier) const;
};

// Statements of C++ for PTX.  An operand %k is the variable cudasim_k, a register that the text
// declares the variable ptx_NAME.  Throws RewriteError at `place` for what is not simulated.
std::string TranslatePtx(const std::string& text, const Token& place);

}  // namespace cudasim::rewriter
