#include "common/cudasim/rewriter/token.h"

namespace cudasim::rewriter {
namespace {

std::string_view Partner(std::string_view bracket) {
  if (bracket == "(") return ")";
  if (bracket == "[") return "]";
  if (bracket == "{") return "}";
  if (bracket == ")") return "(";
  if (bracket == "]") return "[";
  return "{";
}

[[noreturn]] void ThrowUnbalanced(const Token& bracket) {
  throw RewriteError(bracket, "this '" + std::string(bracket.text) + "' has no matching '" +
                                  std::string(Partner(bracket.text)) + "'");
}

}  // namespace

RewriteError::RewriteError(const Token& at, const std::string& message, std::string next)
    : std::runtime_error(message), file_(at.file), line_(at.line), next_(std::move(next)) {}

bool IsOpeningBracket(const Token& token) {
  return token.Is("(") || token.Is("[") || token.Is("{");
}

bool IsClosingBracket(const Token& token) {
  return token.Is(")") || token.Is("]") || token.Is("}");
}

std::size_t FindClose(const Unit& unit, std::size_t index) {
  int depth = 0;
  for (std::size_t i = index; i < unit.tokens.size(); ++i) {
    if (IsOpeningBracket(unit.tokens[i])) ++depth;
    if (IsClosingBracket(unit.tokens[i]) && --depth == 0) {
      if (!unit.tokens[i].Is(Partner(unit.tokens[index].text))) break;
      return i;
    }
  }
  ThrowUnbalanced(unit.tokens[index]);
}

std::size_t FindOpen(const Unit& unit, std::size_t index) {
  int depth = 0;
  for (std::size_t i = index + 1; i-- > 0;) {
    if (IsClosingBracket(unit.tokens[i])) ++depth;
    if (IsOpeningBracket(unit.tokens[i]) && --depth == 0) {
      if (!unit.tokens[i].Is(Partner(unit.tokens[index].text))) break;
      return i;
    }
  }
  ThrowUnbalanced(unit.tokens[index]);
}

bool At(const Unit& unit, std::size_t index, std::string_view text) {
  return index < unit.tokens.size() && unit.tokens[index].Is(text);
}

namespace {

bool AreThree(const Unit& unit, std::size_t index, std::string_view character) {
  return At(unit, index, character) && At(unit, index + 1, character) &&
         At(unit, index + 2, character) && !unit.tokens[index + 1].follows_gap;
}

}  // namespace

bool IsTriple(const Unit& unit, std::size_t index, std::string_view character) {
  return AreThree(unit, index, character) && !unit.tokens[index + 2].follows_gap;
}

bool IsTripleWithGap(const Unit& unit, std::size_t index, std::string_view character) {
  return AreThree(unit, index, character) && unit.tokens[index + 2].follows_gap &&
         unit.tokens[index + 2].line == unit.tokens[index].line;
}

bool IsLaunch(const Unit& unit, std::size_t index) {
  return IsTriple(unit, index, "<") || IsTripleWithGap(unit, index, "<");
}

std::string Join(const Unit& unit, std::size_t begin, std::size_t end) {
  std::string text;
  for (std::size_t i = begin; i < end; ++i) {
    const Token& token = unit.tokens[i];
    if (!text.empty() && token.follows_gap) text += ' ';
    text += token.before;
    if (!token.removed) text += token.text;
    text += token.after;
  }
  return text;
}

void Remove(Unit& unit, std::size_t begin, std::size_t end) {
  for (std::size_t i = begin; i < end; ++i) unit.tokens[i].removed = true;
}

}  // namespace cudasim::rewriter
