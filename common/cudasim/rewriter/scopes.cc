#include "common/cudasim/rewriter/scopes.h"

namespace cudasim::rewriter {
namespace {

// What stands between the end of the previous statement and a `{`.
struct Header {
  bool names_namespace = false;
  bool names_class = false;
  bool has_parameters = false;
  bool is_host = false;
  bool is_device = false;
  std::size_t tokens = 0;
  bool ends_in_string = false;  // extern "C"
};

bool IsFollowedByArguments(const Token& word) {
  return word.Is("alignas") || word.Is("__attribute__") || word.Is("decltype") ||
         word.Is("requires") || word.Is("explicit");
}

// Words inside template parameters (`template <class T>`) do not count.
Header ReadHeader(const Unit& unit, std::size_t begin, std::size_t brace) {
  Header header;
  int angles = 0;
  for (std::size_t i = begin; i < brace; ++i) {
    const Token& token = unit.tokens[i];
    ++header.tokens;
    header.ends_in_string = token.kind == TokenKind::kString;
    if (token.Is("__device__") || token.Is("__global__")) header.is_device = true;
    if (token.Is("__host__")) header.is_host = true;
    if (token.Is("<")) ++angles;
    if (token.Is(">") && angles > 0) --angles;
    if (token.Is("(")) {
      if (i > begin && !IsFollowedByArguments(unit.tokens[i - 1])) header.has_parameters = true;
      angles = 0;
    }
    if (angles > 0) continue;
    if (token.Is("namespace")) header.names_namespace = true;
    if (token.Is("class") || token.Is("struct") || token.Is("union") || token.Is("enum")) {
      header.names_class = true;
    }
  }
  return header;
}

Scope Classify(const Header& header, Scope outer) {
  if (header.is_device) return header.is_host ? Scope::kHostDeviceFunction : Scope::kDeviceFunction;
  if (IsFunction(outer)) return outer;
  if (header.names_namespace) return Scope::kNamespace;
  if (header.tokens == 2 && header.ends_in_string) return outer;
  if (header.names_class && !header.has_parameters) return Scope::kClass;
  if (header.has_parameters) return Scope::kHostFunction;
  return Scope::kInitialiser;
}

}  // namespace

std::vector<Scope> FindScopes(const Unit& unit) {
  std::vector<Scope> scopes;
  scopes.reserve(unit.tokens.size());
  std::vector<Scope> open{Scope::kNamespace};
  std::size_t statement = 0;  // where it begins
  for (std::size_t i = 0; i < unit.tokens.size(); ++i) {
    const Token& token = unit.tokens[i];
    if (token.Is("}") && open.size() > 1) open.pop_back();
    scopes.push_back(open.back());
    if (token.Is("{")) open.push_back(Classify(ReadHeader(unit, statement, i), open.back()));
    if (token.Is("{") || token.Is("}") || token.Is(";")) statement = i + 1;
  }
  return scopes;
}

}  // namespace cudasim::rewriter
