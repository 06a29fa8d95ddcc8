// Reads lines of LLVM's text form (LLVM Language Reference Manual), of versions with types of
// pointers (`i32* %5`) and without (`ptr %5`). What is not understood yields nothing.
#ifndef GRADER_KIT_INSTRUMENT_IR_TEXT_H_
#define GRADER_KIT_INSTRUMENT_IR_TEXT_H_

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace grader::instrument {

using Lines = std::vector<std::string>;

// An instruction of a function: `  %5 = load i32, i32* %4`. All views are into its line.
struct Instruction {
  std::string_view result;  // the name it defines, with its '%'; may be empty
  std::string_view text;    // without the result
};

// Nothing if the line is none, but a label, the rest of an instruction or outside of a function.
std::optional<Instruction> InstructionOf(std::string_view line);

// The local names in the text, in its order: `%7`, `%name`, `%"any text"`; types' names, too.
std::vector<std::string_view> LocalNames(std::string_view text);

// The end of the operand at the position: the comma or bracket behind it, or the end of the text.
std::size_t EndOfOperand(std::string_view text, std::size_t begin);

// The type at the begin of the text, with its brackets; without the stars of a pointer's type.
std::string_view FirstType(std::string_view text);

// A load or a store that is not atomic.
struct Access {
  bool writes;
  std::string_view type;     // of the value
  std::string_view pointer;  // with its type
};

std::optional<Access> AccessOf(std::string_view instruction);

}  // namespace grader::instrument

#endif  // GRADER_KIT_INSTRUMENT_IR_TEXT_H_
