#include <algorithm>
#include <array>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

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

struct Parameter {
  std::string name;
  std::size_t begin;  // its tokens
  std::size_t end;
};

// Those that are plain names, between the `(` at `open` and its `)`.
std::vector<Parameter> FindParameters(const Unit& unit, std::size_t open) {
  const std::size_t close = FindClose(unit, open);
  std::vector<Parameter> parameters;
  int angles = 0;
  for (std::size_t i = open + 1, begin = i; i <= close; ++i) {
    const Token& token = unit.tokens[i];
    if (token.Is("<")) ++angles;
    if (token.Is(">")) --angles;
    if (i != close && (!token.Is(",") || angles > 0)) {
      if (IsOpeningBracket(token)) i = FindClose(unit, i);
      continue;
    }
    std::string name = FindName(unit, begin, i);
    if (!name.empty()) parameters.push_back({std::move(name), begin, i});
    begin = i + 1;
  }
  return parameters;
}

// True if the parameter's declarator, outside template arguments, has the token.
bool HasInDeclarator(const Unit& unit, const Parameter& parameter, std::string_view what) {
  int angles = 0;
  for (std::size_t i = parameter.begin; i < parameter.end && !unit.tokens[i].Is("="); ++i) {
    const Token& token = unit.tokens[i];
    if (token.Is("<")) ++angles;
    if (token.Is(">")) --angles;
    if (angles == 0 && token.Is(what)) return true;
  }
  return false;
}

// True if the type may be a class: it has a word that is no built-in type's.
bool MayBeClass(const Unit& unit, const Parameter& parameter) {
  if (HasInDeclarator(unit, parameter, "*") || HasInDeclarator(unit, parameter, "auto"))
    return false;
  for (std::size_t i = parameter.begin; i < parameter.end; ++i) {
    const Token& token = unit.tokens[i];
    if (token.Is("=")) return false;
    if (token.kind != TokenKind::kIdentifier || token.Is(parameter.name)) continue;
    if (!IsTypeWord(token)) return true;
  }
  return false;
}

bool Mentions(const Unit& unit, std::size_t begin, std::size_t end, std::string_view word) {
  for (std::size_t i = begin; i < end; ++i) {
    if (unit.tokens[i].Is(word)) return true;
  }
  return false;
}

}  // namespace

Captures CaptureArguments(const Unit& unit, std::size_t open, std::size_t body) {
  Captures captures;
  // A copy is a reference in the body, which decltype() would tell.
  const bool copies = !Mentions(unit, body, FindClose(unit, body), "decltype");
  for (const Parameter& parameter : FindParameters(unit, open)) {
    const std::string& name = parameter.name;
    if (HasInDeclarator(unit, parameter, "&")) {
      captures.list += ", &" + name;
    } else if (copies && MayBeClass(unit, parameter)) {
      captures.list +=
          ", cudasim_" + name + " = ::cudasim::Argument<decltype(" + name + ")>(" + name + ")";
      captures.declarations +=
          " [[maybe_unused]] auto& " + name + " = cudasim_" + name + ".value();";
    }
  }
  return captures;
}

std::string NameArguments(const Unit& unit, std::size_t open) {
  std::string names;
  std::string values;
  for (const Parameter& parameter : FindParameters(unit, open)) {
    names += (names.empty() ? "" : ",") + parameter.name;
    values += ", " + parameter.name;
  }
  return names.empty() ? "" : " ::cudasim::NameArguments(\"" + names + "\"" + values + ");";
}

}  // namespace cudasim::rewriter
