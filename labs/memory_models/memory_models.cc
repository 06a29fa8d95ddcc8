// Your solution to the lab "Memory models": this is the only file you edit and hand in.
// The contract, what each function gets and must give, is in memory_models.h; the ideas are in
// README.md.

#include "labs/memory_models/memory_models.h"

#include "common/lab/not_written.h"

std::optional<OutcomeSet> LitmusOutcomes([[maybe_unused]] Model model,
                                         [[maybe_unused]] std::span<const Instruction> program) {
  LAB_NOT_WRITTEN();
}

std::optional<std::int32_t> FewestFences([[maybe_unused]] Model model,
                                         [[maybe_unused]] std::span<const Instruction> program,
                                         [[maybe_unused]] std::int32_t outcome) {
  LAB_NOT_WRITTEN();
}

std::optional<BufferReport> RunStoreBuffer(
    [[maybe_unused]] std::span<const MemoryOperation> program,
    [[maybe_unused]] std::int32_t entries, [[maybe_unused]] std::int64_t drain_cycles) {
  LAB_NOT_WRITTEN();
}

std::optional<MesiTraffic> CountMesi([[maybe_unused]] std::span<const CoherentAccess> accesses,
                                     [[maybe_unused]] std::int32_t processors,
                                     [[maybe_unused]] std::int32_t line_bytes) {
  LAB_NOT_WRITTEN();
}

std::optional<PramRating> RatePram([[maybe_unused]] std::span<const PramAccess> accesses) {
  LAB_NOT_WRITTEN();
}

std::optional<Hiding> HideLatency([[maybe_unused]] MemorySystem memory,
                                  [[maybe_unused]] std::int32_t bytes_per_load,
                                  [[maybe_unused]] std::int32_t loads_per_warp) {
  LAB_NOT_WRITTEN();
}

std::optional<double> MulticoreSpeedup([[maybe_unused]] Chip chip,
                                       [[maybe_unused]] double parallel_fraction,
                                       [[maybe_unused]] std::int64_t units,
                                       [[maybe_unused]] std::int64_t core_units) {
  LAB_NOT_WRITTEN();
}

std::optional<CoreSize> BestCoreSize([[maybe_unused]] Chip chip,
                                     [[maybe_unused]] double parallel_fraction,
                                     [[maybe_unused]] std::int64_t units) {
  LAB_NOT_WRITTEN();
}
