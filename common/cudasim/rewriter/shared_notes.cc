#include <string>
#include <vector>

#include "common/cudasim/rewriter/passes.h"

namespace cudasim::rewriter {
namespace {

constexpr std::size_t kMaxArrays = 64;  // that are compared in pairs

// An `extern __shared__` array; in a function it is known until the end of its block.
struct Array {
  std::size_t name;
  std::size_t end;
  bool in_function;
};

bool IsExtern(const Unit& unit, std::size_t shared) {
  for (std::size_t i = shared; i-- > 0;) {
    const Token& token = unit.tokens[i];
    if (token.Is("extern")) return true;
    if (token.Is(";") || token.Is("{") || token.Is("}")) break;
  }
  return At(unit, shared + 1, "extern");
}

std::size_t FindBlockEnd(const Unit& unit, std::size_t i) {
  while (i < unit.tokens.size() && !IsClosingBracket(unit.tokens[i])) {
    i = IsOpeningBracket(unit.tokens[i]) ? FindClose(unit, i) + 1 : i + 1;
  }
  return i;
}

std::vector<Array> FindArrays(const Unit& unit, const std::vector<Scope>& scopes) {
  std::vector<Array> arrays;
  for (std::size_t i = 0; i < unit.tokens.size(); ++i) {
    if (!unit.tokens[i].Is("__shared__") || !IsExtern(unit, i)) continue;
    const bool in_function = IsFunction(scopes[i]);
    const std::size_t end = in_function ? FindBlockEnd(unit, i) : unit.tokens.size();
    for (; i + 1 < end && !unit.tokens[i].Is(";"); ++i) {
      if (unit.tokens[i].kind == TokenKind::kIdentifier && At(unit, i + 1, "[")) {
        arrays.push_back({i, end, in_function});
      }
    }
  }
  return arrays;
}

// The functions [begin, end) of the unit.
struct Body {
  std::size_t begin;
  std::size_t end;
};

std::vector<Body> FindBodies(const std::vector<Scope>& scopes) {
  std::vector<Body> bodies;
  for (std::size_t i = 0; i < scopes.size(); ++i) {
    if (!IsFunction(scopes[i])) continue;
    const std::size_t begin = i;
    while (i < scopes.size() && IsFunction(scopes[i])) ++i;
    bodies.push_back({begin, i});
  }
  return bodies;
}

bool IsUsed(const Unit& unit, const Array& array, const Body& body) {
  for (std::size_t i = body.begin; i < body.end && i < array.end; ++i) {
    if (i != array.name && unit.tokens[i].text == unit.tokens[array.name].text) return true;
  }
  return false;
}

// Whether a function uses both, the second one declared where the first is known.
bool AreUsedTogether(const Unit& unit, const std::vector<Body>& bodies, const Array& first,
                     const Array& second) {
  if (unit.tokens[first.name].text == unit.tokens[second.name].text) return false;
  if (second.name > first.end) return false;
  for (const Body& body : bodies) {
    const auto declares = [&body](const Array& array) {
      return !array.in_function || (array.name >= body.begin && array.name < body.end);
    };
    if (declares(first) && declares(second) && IsUsed(unit, first, body) &&
        IsUsed(unit, second, body)) {
      return true;
    }
  }
  return false;
}

std::string Describe(const Unit& unit, const Array& first, const Array& second) {
  const Token& later = unit.tokens[second.name];
  const Token& earlier = unit.tokens[first.name];
  return std::string(later.file) + ":" + std::to_string(later.line) + ": note: '" +
         std::string(later.text) + "' begins at the same address as '" + std::string(earlier.text) +
         "' (line " + std::to_string(earlier.line) +
         "): all extern __shared__ arrays of a kernel do\n  next: if they are meant to be apart, "
         "declare one array, and let a pointer to the second part begin behind the first: " +
         std::string(earlier.text) + " + its number of elements";
}

}  // namespace

std::vector<std::string> NoteSharedAddresses(const Unit& unit, const std::vector<Scope>& scopes) {
  std::vector<std::string> notes;
  const std::vector<Array> arrays = FindArrays(unit, scopes);
  if (arrays.size() < 2 || arrays.size() > kMaxArrays) return notes;
  const std::vector<Body> bodies = FindBodies(scopes);
  for (std::size_t second = 1; second < arrays.size(); ++second) {
    for (std::size_t first = 0; first < second; ++first) {
      if (!AreUsedTogether(unit, bodies, arrays[first], arrays[second])) continue;
      notes.push_back(Describe(unit, arrays[first], arrays[second]));
      break;
    }
  }
  return notes;
}

}  // namespace cudasim::rewriter
