#include <set>
#include <string>
#include <string_view>
#include <utility>

#include "common/cudasim/rewriter/passes.h"

namespace cudasim::rewriter {
namespace {

// True if `[0][i]` begins at `index`, where i is no number: the idiom for all rows of an array.
bool IsFlatIndexAt(const Unit& unit, std::size_t index) {
  if (!At(unit, index, "[") || !At(unit, index + 1, "0") || !At(unit, index + 2, "]")) return false;
  return At(unit, index + 3, "[") && unit.tokens[index + 4].kind != TokenKind::kNumber;
}

}  // namespace

void ListFlatIndices(Unit& unit) {
  std::set<std::pair<std::string_view, int>> places;
  for (std::size_t i = 0; i + 4 < unit.tokens.size(); ++i) {
    if (IsFlatIndexAt(unit, i)) places.insert({unit.tokens[i].file, unit.tokens[i].line});
  }
  if (places.empty()) return;
  std::string table = "const ::cudasim::FlatIndex cudasim_flat_places[] = {";
  for (const auto& [file, line] : places) {
    table += "{\"" + std::string(file) + "\", " + std::to_string(line) + "}, ";
  }
  PrependDeclarations(
      unit,
      table + "};\nconst ::cudasim::FlatIndices cudasim_flat_indices(cudasim_flat_places);\n");
}

}  // namespace cudasim::rewriter
