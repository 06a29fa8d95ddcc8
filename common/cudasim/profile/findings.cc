#include "common/cudasim/profile/findings.h"

#include <algorithm>
#include <map>
#include <tuple>

#include "common/cudasim/profile/code.h"
#include "common/cudasim/runtime/diagnostics/symbolizer.h"

namespace cudasim {
namespace {

constexpr double kSectorsOfWavefront = 4;  // both are 128 bytes

void SetCost(LineFinding& line) {
  const LineCounts& c = line.counts;
  switch (line.kind) {
    case LineKind::kGlobalLoad:
    case LineKind::kGlobalStore:
      line.cost = static_cast<double>(c.sectors) / kSectorsOfWavefront;
      line.waste = static_cast<double>(c.sectors - c.ideal_sectors) / kSectorsOfWavefront;
      break;
    case LineKind::kSharedLoad:
    case LineKind::kSharedStore:
      line.cost = static_cast<double>(c.wavefronts);
      line.waste = static_cast<double>(c.wavefronts - c.ideal_wavefronts);
      break;
    default:
      line.cost = static_cast<double>(c.contended);
      line.waste = static_cast<double>(c.contended - c.requests);
  }
}

using Key = std::tuple<std::string, int, LineKind, std::string>;

}  // namespace

std::vector<LineFinding> LinesOf(const KernelProfile& profile) {
  // In the order of the code, so that the result does not depend on a hash table's order.
  std::vector<const Instruction*> instructions;
  for (const auto& [key, instruction] : profile.instructions) instructions.push_back(&instruction);
  std::sort(instructions.begin(), instructions.end(), [](const auto* a, const auto* b) {
    return std::tuple(a->pc, a->kind) < std::tuple(b->pc, b->kind);
  });
  std::map<Key, LineFinding> lines;
  std::map<std::string, unsigned> widest;
  for (const Instruction* const instruction : instructions) {
    const Place called{profile.source.file, profile.source.line, ""};
    const Place place = Locate(FromCodeOffset(instruction->pc), called);
    LineFinding& line =
        lines[{place.file, place.line, instruction->kind, instruction->target.name}];
    line.file = place.file;
    line.line = place.line;
    line.kind = instruction->kind;
    line.target = instruction->target;
    line.counts.Add(instruction->counts);
    unsigned& bytes = widest[instruction->target.name];
    bytes = std::max(bytes, instruction->counts.bytes);
  }
  std::vector<LineFinding> sorted;
  for (auto& [key, line] : lines) {
    SetCost(line);
    line.widest = widest[line.target.name];
    line.advice = AdviceFor(line);
    sorted.push_back(std::move(line));
  }
  std::stable_sort(sorted.begin(), sorted.end(),
                   [](const LineFinding& a, const LineFinding& b) { return a.waste > b.waste; });
  return sorted;
}

}  // namespace cudasim
