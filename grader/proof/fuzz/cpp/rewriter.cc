// The simulator's rewriter, on preprocessed text of a student's file.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <string>
#include <vector>

#include "common/cudasim/rewriter/rewrite.h"

namespace {

// What the rewriter may add, each with a line marker behind it: the table of classes, and the
// definition of the places of __shared__ variables.
constexpr int kClassTableLines = 4;
constexpr int kPlacesLines = 3;

}  // namespace

// The first byte chooses the linkage; the rest is the text.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using cudasim::rewriter::Linkage;
  if (size == 0) return 0;
  const Linkage linkage = data[0] % 2 == 0 ? Linkage::kAcrossFiles : Linkage::kOneFile;
  const std::string source(data + 1, data + size);
  try {
    std::vector<std::string> notes;
    const std::string text = cudasim::rewriter::Rewrite(source, linkage, &notes);
    const auto lines = [](const std::string& of) { return std::count(of.begin(), of.end(), '\n'); };
    const auto more = lines(text) - lines(source);
    constexpr int kAdded[] = {0, kClassTableLines, kPlacesLines, kClassTableLines + kPlacesLines};
    if (std::ranges::find(kAdded, more) == std::end(kAdded)) __builtin_trap();
  } catch (const cudasim::rewriter::RewriteError&) {
  }
  return 0;
}
