#include "grader/judging/kit/instrument/ir_text.h"

#include <algorithm>
#include <cctype>

namespace grader::instrument {
namespace {

constexpr std::string_view kIndent = "  ";

bool IsIn(std::string_view characters, char c) { return characters.find(c) != characters.npos; }

bool IsOfName(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || IsIn("-$._", c);
}

// The position behind the quoted text that begins at the position.
std::size_t EndOfQuoted(std::string_view text, std::size_t begin) {
  const std::size_t end = text.find('"', begin + 1);
  return end == text.npos ? text.size() : end + 1;
}

std::string_view NameAt(std::string_view text, std::size_t begin) {
  std::size_t end = begin + 1;
  if (end < text.size() && text[end] == '"') {
    end = EndOfQuoted(text, end);
  } else {
    while (end < text.size() && IsOfName(text[end])) ++end;
  }
  return text.substr(begin, end - begin);
}

// Takes the word and the space behind it from the text, if the text begins with them.
bool Take(std::string_view& text, std::string_view word) {
  if (!text.starts_with(word) || !text.substr(word.size()).starts_with(' ')) return false;
  text.remove_prefix(word.size() + 1);
  return true;
}

}  // namespace

std::optional<Instruction> InstructionOf(std::string_view line) {
  if (!line.starts_with(kIndent)) return std::nullopt;
  line.remove_prefix(kIndent.size());
  if (line.empty() || IsIn(" ]", line[0])) return std::nullopt;
  constexpr std::string_view kDefines = " = ";
  if (line[0] != '%') return Instruction{{}, line};
  const std::string_view result = NameAt(line, 0);
  if (!line.substr(result.size()).starts_with(kDefines)) return std::nullopt;
  return Instruction{result, line.substr(result.size() + kDefines.size())};
}

std::vector<std::string_view> LocalNames(std::string_view text) {
  std::vector<std::string_view> names;
  for (std::size_t at = 0; at < text.size();) {
    if (text[at] == '%') {
      names.push_back(NameAt(text, at));
      at += names.back().size();
    } else {
      at = text[at] == '"' ? EndOfQuoted(text, at) : at + 1;
    }
  }
  return names;
}

std::size_t EndOfOperand(std::string_view text, std::size_t begin) {
  int depth = 0;
  for (std::size_t at = begin; at < text.size();) {
    if (text[at] == '"') {
      at = EndOfQuoted(text, at);
      continue;
    }
    if (depth == 0 && IsIn(",)]}>", text[at])) return at;
    if (IsIn("([{<", text[at])) ++depth;
    if (IsIn(")]}>", text[at])) --depth;
    ++at;
  }
  return text.size();
}

std::string_view FirstType(std::string_view text) {
  if (text.empty()) return {};
  if (text[0] == '%') return NameAt(text, 0);
  if (IsIn("[{<", text[0])) return text.substr(0, std::min(EndOfOperand(text, 1) + 1, text.size()));
  return text.substr(0, std::min(text.find_first_of(" ,*("), text.size()));
}

std::optional<Access> AccessOf(std::string_view instruction) {
  const bool writes = Take(instruction, "store");
  if (!writes && !Take(instruction, "load")) return std::nullopt;
  if (instruction.starts_with("atomic ")) return std::nullopt;
  Take(instruction, "volatile");
  std::size_t begin = EndOfOperand(instruction, 0);
  if (!instruction.substr(begin).starts_with(", ")) return std::nullopt;
  const std::string_view value = instruction.substr(0, begin);
  begin += 2;
  const std::size_t end = EndOfOperand(instruction, begin);
  return Access{writes, FirstType(value), instruction.substr(begin, end - begin)};
}

}  // namespace grader::instrument
