#include "grader/judging/kit/instrument/unseen_accesses.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstddef>
#include <utility>

#include "grader/judging/kit/instrument/ir_text.h"

namespace grader::instrument {
namespace {

constexpr std::size_t kPointerBits = 64;
constexpr std::string_view kListBytes = "24";  // of va_list: System V ABI for x86-64, 3.5.7

// A number at the begin of the text, which may be longer; 0 if there is none or it is large.
std::size_t NumberIn(std::string_view text) {
  unsigned short number = 0;
  std::from_chars(text.data(), text.data() + text.size(), number);
  return number;
}

// 0 if the type is neither a number, a pointer nor a vector of them.
std::size_t BitsOf(std::string_view type) {
  constexpr auto kFloats = std::to_array<std::pair<std::string_view, std::size_t>>(
      {{"half", 16}, {"bfloat", 16}, {"float", 32}, {"double", 64}, {"x86_fp80", 80}});
  for (const auto& [name, bits] : kFloats) {
    if (type == name) return bits;
  }
  if (type.starts_with('<')) {
    const std::size_t by = type.find(" x ");
    if (by == type.npos) return 0;
    return NumberIn(type.substr(1)) * BitsOf(type.substr(by + 3, type.size() - by - 4));
  }
  if (type.ends_with('*') || type == "ptr") return kPointerBits;
  return type.starts_with('i') ? NumberIn(type.substr(1)) : 0;
}

bool IsInstrumented(std::size_t bytes) {
  return bytes == 1 || bytes == 2 || bytes == 4 || bytes == 8 || bytes == 16;
}

bool IsCall(std::string_view text) {
  for (const std::string_view word : {"tail ", "musttail ", "notail "}) {
    if (text.starts_with(word)) text.remove_prefix(word.size());
  }
  return text.starts_with("call ") || text.starts_with("invoke ");
}

// The operand at the position, or what is left of it.
std::string OperandAt(std::string_view text, std::size_t begin) {
  return std::string(text.substr(begin, EndOfOperand(text, begin) - begin));
}

// Where the value of an argument begins, behind its attributes.
std::size_t BeginOfValue(std::string_view text, std::size_t begin) {
  std::size_t first = text.find_first_of("%@", begin);
  for (const std::string_view expression : {"getelementptr ", "bitcast "}) {
    first = std::min(first, text.find(expression, begin));
  }
  return first;
}

// `%struct.S* noundef byval(%struct.S) align 8 %5`
void AddPassedByValue(std::string_view call, std::vector<UnseenAccess>& found) {
  constexpr std::string_view kByValue = " byval(";
  for (std::size_t at = call.find(kByValue); at != call.npos; at = call.find(kByValue, at)) {
    const std::string_view before = call.substr(0, at);
    at += kByValue.size();
    const std::string type = OperandAt(call, at);
    const std::size_t value = BeginOfValue(call, at + type.size());
    if (value == call.npos) return;
    // The argument's own type is the last before its attributes.
    const std::size_t star = before.rfind("* "), untyped = before.rfind("ptr ");
    const bool is_typed = untyped == before.npos || (star != before.npos && star > untyped);
    const std::string pointer = is_typed ? type + "*" : "ptr";
    found.push_back({.writes = false,
                     .pointer = pointer + " " + OperandAt(call, value),
                     .bytes = "ptrtoint (" + pointer + " getelementptr (" + type + ", " + pointer +
                              " null, i32 1) to i64)"});
  }
}

// `@llvm.va_copy(i8* %to, i8* nonnull %from)`
void AddVariableArguments(std::string_view call, std::vector<UnseenAccess>& found) {
  const std::size_t start = call.find(" @llvm.va_start"), copy = call.find(" @llvm.va_copy");
  std::size_t begin = std::min(start, copy);
  for (const bool writes : {true, false}) {
    begin = begin == call.npos ? begin : call.find_first_of("(,", begin);
    const std::size_t value = begin == call.npos ? begin : BeginOfValue(call, begin);
    if (value == call.npos) return;
    const bool is_untyped = call.substr(begin, value - begin).find("ptr ") != call.npos;
    const std::string operand = OperandAt(call, value);
    found.push_back({.writes = writes,
                     .pointer = (is_untyped ? "ptr " : "i8* ") + operand,
                     .bytes = std::string(kListBytes)});
    begin = copy == call.npos ? copy : value + operand.size();
  }
}

}  // namespace

std::vector<UnseenAccess> UnseenAccesses(std::string_view instruction) {
  std::vector<UnseenAccess> found;
  if (const auto access = AccessOf(instruction)) {
    const std::size_t bytes = (BitsOf(access->type) + 7) / 8;
    if (bytes != 0 && !IsInstrumented(bytes)) {
      found.push_back({access->writes, std::string(access->pointer), std::to_string(bytes)});
    }
  } else if (IsCall(instruction)) {
    AddPassedByValue(instruction, found);
    AddVariableArguments(instruction, found);
  }
  return found;
}

}  // namespace grader::instrument
