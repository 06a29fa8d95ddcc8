#include "common/cudasim/rewriter/passes.h"

namespace cudasim::rewriter {
namespace {

// Index of the `<` that opens the template arguments closed by the `>` at `index`.
std::size_t FindAngleOpen(const Unit& unit, std::size_t index) {
  int depth = 0;
  for (std::size_t i = index + 1; i-- > 0;) {
    const Token& token = unit.tokens[i];
    if (token.Is(">")) ++depth;
    if (token.Is("<") && --depth == 0) return i;
    if (IsClosingBracket(token)) i = FindOpen(unit, i);
    if (token.Is(";")) break;
  }
  throw RewriteError(unit.tokens[index], "this '>' in front of '<<<' closes nothing",
                     "write the kernel's template arguments as kernel<Type><<<grid, block>>>(...)");
}

[[noreturn]] void ThrowNoKernel(const Token& launch) {
  throw RewriteError(launch, "'<<<' needs a kernel's name in front of it",
                     "write kernel<<<grid, block>>>(arguments)");
}

bool IsCallable(const Token& token) {
  return token.kind == TokenKind::kIdentifier && !token.Is("return") && !token.Is("else") &&
         !token.Is("do") && !token.Is("co_return") && !token.Is("throw");
}

// Index of the first token of one operand, such as `name`, `name<args>`, `table[i]` or
// `(*pointer)`, that ends in front of `end`.
std::size_t FindOperandBegin(const Unit& unit, std::size_t end, const Token& launch) {
  if (end == 0) ThrowNoKernel(launch);
  std::size_t begin = end - 1;
  if (unit.tokens[begin].Is(">")) {
    begin = FindAngleOpen(unit, begin);
    if (begin == 0) ThrowNoKernel(launch);
    --begin;
  }
  while (unit.tokens[begin].Is("]")) {
    begin = FindOpen(unit, begin);
    if (begin == 0) ThrowNoKernel(launch);
    --begin;
  }
  if (unit.tokens[begin].Is(")")) {
    begin = FindOpen(unit, begin);
    // `choose(n)<<<...>>>`: the call of a function that returns a kernel's address.
    if (begin > 0 && IsCallable(unit.tokens[begin - 1])) --begin;
  }
  if (unit.tokens[begin].kind != TokenKind::kIdentifier && !unit.tokens[begin].Is("(")) {
    ThrowNoKernel(launch);
  }
  return begin;
}

std::size_t FindKernelBegin(const Unit& unit, std::size_t launch) {
  std::size_t begin = FindOperandBegin(unit, launch, unit.tokens[launch]);
  while (begin > 0) {
    std::size_t previous = begin - 1;
    if (unit.tokens[previous].Is("template") && previous > 0) --previous;
    const Token& joint = unit.tokens[previous];
    if (!joint.Is("::") && !joint.Is(".") && !joint.Is("->")) break;
    begin = previous;
    if (previous == 0) break;
    const Token& owner = unit.tokens[previous - 1];
    const bool is_value = !joint.Is("::") && (owner.Is(")") || owner.Is("]"));
    if (!IsCallable(owner) && !owner.Is(">") && !is_value) break;
    begin = FindOperandBegin(unit, previous, unit.tokens[launch]);
  }
  return begin;
}

// Index of the first `>` of the `>>>` that ends the configuration; of the `>> >`, if `<< <` began
// it.
std::size_t FindConfigEnd(const Unit& unit, std::size_t launch) {
  const bool has_gaps = IsTripleWithGap(unit, launch, "<");
  for (std::size_t i = launch + 3; i < unit.tokens.size(); ++i) {
    const Token& token = unit.tokens[i];
    if (token.Is(";") || IsClosingBracket(token)) break;
    if (IsOpeningBracket(token)) {
      i = FindClose(unit, i);
    } else if (IsTriple(unit, i, ">") && !(At(unit, i + 3, ">") && IsTriple(unit, i + 1, ">"))) {
      return i;
    } else if (has_gaps && IsTripleWithGap(unit, i, ">") && At(unit, i + 3, "(")) {
      return i;
    }
  }
  throw RewriteError(unit.tokens[launch], "'<<<' has no matching '>>>'",
                     "write kernel<<<grid, block>>>(arguments)");
}

// Counts the arguments of the configuration [begin, end) by their commas outside brackets.  A comma
// between template arguments counts, too, as `<` may be an operator.
int CountArguments(const Unit& unit, std::size_t begin, std::size_t end) {
  if (begin == end) return 0;
  int count = 1;
  for (std::size_t i = begin; i < end; ++i) {
    if (IsOpeningBracket(unit.tokens[i])) i = FindClose(unit, i);
    if (unit.tokens[i].Is(",")) ++count;
  }
  return count;
}

void RewriteLaunch(Unit& unit, std::size_t launch) {
  const std::size_t kernel = FindKernelBegin(unit, launch);
  const std::size_t end = FindConfigEnd(unit, launch);
  if (CountArguments(unit, launch + 3, end) < 2) {
    throw RewriteError(unit.tokens[launch], "a launch needs a grid and a block",
                       "write kernel<<<grid, block>>>(arguments)");
  }
  const std::size_t open = end + 3;
  if (!At(unit, open, "(")) {
    throw RewriteError(unit.tokens[end], "'>>>' needs the kernel's arguments after it",
                       "write kernel<<<grid, block>>>(arguments)");
  }
  const std::size_t close = FindClose(unit, open);
  const Token& place = unit.tokens[launch];
  const std::string config = Join(unit, launch + 3, end);
  Remove(unit, launch, open);
  for (std::size_t i = launch; i < open; ++i) unit.tokens[i].before = unit.tokens[i].after = "";
  unit.tokens[kernel].before = "(::cudasim::Configure(\"" + std::string(place.file) + "\", " +
                               std::to_string(place.line) + ", " + config + "), " +
                               unit.tokens[kernel].before;
  unit.tokens[close].after += ")";
}

}  // namespace

void RewriteLaunches(Unit& unit) {
  for (std::size_t i = 0; i < unit.tokens.size(); ++i) {
    const bool operator_name = i > 0 && unit.tokens[i - 1].Is("operator");
    if (!IsLaunch(unit, i) || operator_name || unit.tokens[i].removed) continue;
    RewriteLaunch(unit, i);
  }
}

}  // namespace cudasim::rewriter
