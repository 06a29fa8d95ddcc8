#include <algorithm>
#include <array>
#include <string>

#include "common/cudasim/rewriter/passes.h"

namespace cudasim::rewriter {
namespace {

constexpr std::array<std::string_view, 17> kTypeWords = {
    "const", "volatile", "struct", "class", "enum",   "typename", "unsigned", "signed", "int",
    "long",  "short",    "char",   "float", "double", "bool",     "void",     "auto"};

bool IsTypeWord(const Token& token) {
  return token.text.starts_with("__") ||
         std::find(kTypeWords.begin(), kTypeWords.end(), token.text) != kTypeWords.end();
}

// The name of the parameter [begin, end); empty if it has none, or is a pack, a function or an
// array.
std::string FindName(const Unit& unit, std::size_t begin, std::size_t end) {
  std::size_t name = end;
  std::size_t words = 0;  // that can be the type
  for (std::size_t i = begin; i < end && !unit.tokens[i].Is("="); ++i) {
    const Token& token = unit.tokens[i];
    if (token.Is("(") || token.Is("[") || token.Is(".")) return "";
    if (token.kind != TokenKind::kIdentifier) continue;
    if (!token.Is("const") && !token.Is("volatile")) ++words;
    name = i;
  }
  if (words < 2 || IsTypeWord(unit.tokens[name]) || unit.tokens[name - 1].Is("::")) return "";
  return std::string(unit.tokens[name].text);
}

}  // namespace

std::string NameArguments(const Unit& unit, std::size_t open) {
  const std::size_t close = FindClose(unit, open);
  std::string names;
  std::string values;
  int angles = 0;
  for (std::size_t i = open + 1, begin = i; i <= close; ++i) {
    const Token& token = unit.tokens[i];
    if (token.Is("<")) ++angles;
    if (token.Is(">")) --angles;
    if (i != close && (!token.Is(",") || angles > 0)) {
      if (IsOpeningBracket(token)) i = FindClose(unit, i);
      continue;
    }
    const std::string name = FindName(unit, begin, i);
    begin = i + 1;
    if (name.empty()) continue;
    names += (names.empty() ? "" : ",") + name;
    values += ", " + name;
  }
  return names.empty() ? "" : " ::cudasim::NameArguments(\"" + names + "\"" + values + ");";
}

}  // namespace cudasim::rewriter
