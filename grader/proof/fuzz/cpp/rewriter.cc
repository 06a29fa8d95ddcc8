// The simulator's rewriter, on preprocessed text of a student's file.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "common/cudasim/rewriter/rewrite.h"

namespace {

// The class table that the rewriter may add; a line marker follows it.
constexpr int kClassTableLines = 4;

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
    if (more != 0 && more != kClassTableLines) __builtin_trap();
  } catch (const cudasim::rewriter::RewriteError&) {
  }
  return 0;
}
